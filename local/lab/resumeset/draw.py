"""Draws a resume on pages as programs do that place text themselves.

Each resume draws its habits from its own number: fonts, widths and sides of columns, how cells
are aligned, how lines are split into pieces (words, kerned parts of words, single letters),
and the order in which pieces are written, which is often not the one in which they are read.
"""
import json, pathlib, random

from reportlab.lib.pagesizes import A4, letter
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

DEJAVU = pathlib.Path("/usr/share/fonts/truetype/dejavu")
BASE = {"Helvetica": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique"), "Times": ("Times-Roman", "Times-Bold", "Times-Italic"),
        "Sans": ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique"), "Serif": ("DejaVuSerif", "DejaVuSerif-Bold", "DejaVuSerif-Italic"),
        "Condensed": ("DejaVuSansCondensed", "DejaVuSansCondensed-Bold", "DejaVuSansCondensed-Oblique")}


def draw(source, target):
    resume = json.loads(pathlib.Path(source).read_text())
    Sheet(resume).write(target)


class Sheet:
    def __init__(self, resume):
        self.resume, self.random = resume, random.Random(resume["look"])
        pick, chance = self.random.choice, lambda p: self.random.random() < p
        latin = not any(ord(c) > 255 and c not in "–—•’" for c in json.dumps(resume, ensure_ascii=False))
        self.plain, self.bold, self.italic = BASE[pick(["Helvetica", "Times", "Sans", "Serif"] if latin else ["Sans", "Serif", "Condensed"])]
        for name in (self.plain, self.bold, self.italic):
            if name.startswith("DejaVu"):
                pdfmetrics.registerFont(TTFont(name, DEJAVU / f"{name}.ttf"))
        self.size = pick([8.5, 9, 9.5, 10, 10.5, 11])
        self.leading = self.size * pick([1.05, 1.15, 1.2, 1.35, 1.5])
        self.page, self.margin = pick([A4, letter]), pick([36, 45, 54, 64])
        self.narrow, self.gutter = pick([0.25, 0.3, 0.34, 0.4]), pick([10, 14, 20, 30])
        self.label, self.mirrored, self.label_right = pick([0.15, 0.18, 0.22, 0.28]), chance(0.2), chance(0.35)
        self.middle, self.padding, self.gap = chance(0.3), pick([0, 1, 3, 6]), pick([0, 2, 4, 8])
        self.side_heads = resume["layout"] == "single" and chance(0.3)
        self.spaced, self.small_caps = pick([0, 0, 0, 0.8, 2.5]), chance(0.15)
        self.head_font, self.order_of_cells = pick([self.bold, self.italic, self.plain]), pick([(0, 1, 2), (0, 1, 2), (1, 2, 0), (2, 1, 0)])
        self.bullet = pick(["•", "–", "zapf", "drawn", "•"])
        self.icons, self.footer, self.centred = chance(0.2), pick(["", "", "footer", "header"]), chance(0.3)
        self.order = pick(["flow", "rows", "columns", "late", "fonts", "flow"])
        self.pieces_of = pick(["line", "line", "words", "kerned", "letters"])
        self.rail = pick(["●", "drawn", "zapf"])
        self.pieces, self.shapes, self.column = [], [], 0

    # Pieces are [page, y, x, text, font, size, letter spacing, column, late].
    def put(self, at, x, text, font=None, size=None, spacing=0, late=False):
        self.pieces.append([at[0], at[1], x, text, font or self.plain, size or self.size, spacing, self.column, late])

    def down(self, at, by):
        page, y = at
        return (page, y - by) if y - by > self.margin else (page + 1, self.page[1] - self.margin - self.size)

    def width(self, text, font, size, spacing=0):
        return pdfmetrics.stringWidth(text, font, size) + spacing * len(text)

    def wrap(self, text, width, font, size):
        lines = [""]
        for word in text.split(" "):
            longer = (lines[-1] + " " + word).strip()
            if lines[-1] and self.width(longer, font, size) > width:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    def flow(self, blocks, x, width, at):
        for b in blocks:
            at = getattr(self, "draw_" + b["kind"])(b, x, width, at)
        return at

    def text(self, text, x, width, at, font=None, size=None, indent=0, centred=False, right=False):
        font, size = font or self.plain, size or self.size
        for line in self.wrap(text, width - indent, font, size):
            w = self.width(line, font, size)
            start = x + (width - w) / 2 if centred else x + width - w if right else x + indent
            self.put(at, start, line, font, size, late=right)
            at = self.down(at, self.leading * size / self.size)
        return at

    def draw_name(self, b, x, width, at):
        at = self.down(at, self.size * 1.6)
        return self.caps(b["text"], x, width, at, self.bold, self.size * 2, self.centred)

    def caps(self, text, x, width, at, font, size, centred=False):
        spacing = self.spaced if self.width(text, font, size, self.spaced) < width else 0
        if not self.small_caps or spacing or self.width(text.upper(), font, size) > width:
            if spacing == 0:
                return self.text(text, x, width, at, font, size, centred=centred)
            self.put(at, x, text, font, size, spacing)
            return self.down(at, self.leading * size / self.size)
        for word in text.split(" "):
            self.put(at, x, word[0].upper(), font, size)
            x += self.width(word[0].upper(), font, size)
            if word[1:]:
                self.put(at, x, word[1:].upper(), font, size * 0.8)
            x += self.width(word[1:].upper(), font, size * 0.8) + self.width(" ", font, size)
        return self.down(at, self.leading * size / self.size)

    def draw_heading(self, b, x, width, at):
        at = self.down(at, self.gap + self.size * 0.6)
        if self.side_heads:
            self.text(b["text"], self.margin, self.page[0] * self.narrow - self.margin - self.gutter, at, self.bold, self.size)
            return at
        at = self.caps(b["text"], x, width, at, self.bold, self.size * 1.2)
        self.shapes.append((at[0], x, at[1] + self.leading * 0.8, width))
        return at

    def draw_contact(self, b, x, width, at):
        if self.icons:
            self.put(at, x, ")", "ZapfDingbats")
            return self.text(b["text"], x + 1.6 * self.size, width - 1.6 * self.size, at)
        return self.text(b["text"], x, width, at, centred=self.centred)

    def draw_head(self, b, x, width, at):
        return self.draw_line(b, x, width, self.down(at, self.gap), self.head_font)

    def draw_line(self, b, x, width, at, font=None):
        left, _, right = b["text"].partition("\t")
        if not right:
            return self.text(left, x, width, at, font)
        share = min(self.width(right, self.plain, self.size) + 0.1, width * 0.45)
        after = self.text(left, x, width - share - self.gutter, at, font)
        other = self.text(right, x + width - share, share, at, right=True)
        return max(after, other, key=lambda a: (a[0], -a[1]))

    def draw_paragraph(self, b, x, width, at):
        return self.text(b["text"], x, width, at)

    def draw_bullet(self, b, x, width, at):
        if self.bullet == "zapf":
            self.put(at, x + 3, "n", "ZapfDingbats", self.size * 0.6)
        elif self.bullet != "drawn":
            self.put(at, x + 3, self.bullet)
        return self.text(b["text"], x, width, at, indent=14)

    def draw_row(self, b, x, width, at):
        cells = b["cells"]
        if at[1] < self.margin + 5 * self.leading:
            at = (at[0] + 1, self.page[1] - self.margin - self.size)
        at = self.down(at, self.padding)
        if len(cells) == 3 and self.resume["layout"] == "table":
            parts = [(i, [0.26, 0.37, 0.37][i] * width) for i in self.order_of_cells]
        elif len(cells) == 3:
            parts = [(0, self.label * width), (1, 0.05 * width), (2, (0.95 - self.label) * width)]
        else:
            parts = [(0, self.label * width), (1, (1 - self.label) * width)]
            parts = parts[::-1] if self.mirrored else parts
        ends, spans = [], []
        for i, own in parts:
            before, self.column = len(self.pieces), self.column * 4 + i + 1
            inner = own - min(self.gutter, 0.2 * own)
            if cells[i][0]["text"] == "●":
                end = self.draw_mark(x, at)
            elif i == 0 and self.label_right and len(cells[i]) == 1:
                end = self.text(cells[i][0]["text"], x, inner, at, right=True)
            else:
                end = self.flow(cells[i], x, inner, at)
            self.column //= 4
            ends.append(end)
            spans.append((before, len(self.pieces), end))
            x += own
        last = max(ends, key=lambda a: (a[0], -a[1]))
        if self.middle and last[0] == at[0]:
            for first, after, end in spans:
                for piece in self.pieces[first:after]:
                    piece[1] -= (end[1] - last[1]) / 2
        return self.down(last, self.padding) if self.padding else last

    def draw_mark(self, x, at):
        if self.rail == "●" and self.plain.startswith("DejaVu"):
            self.put(at, x, "●")
        elif self.rail == "zapf":
            self.put(at, x, "l", "ZapfDingbats")
        return self.down(at, self.leading)

    def draw_aside(self, b, x, width, at):
        narrow = width * self.narrow
        widths = [width - narrow, narrow] if self.resume["right"] else [narrow, width - narrow]
        ends = []
        for i, (cell, own) in enumerate(zip(b["cells"], widths)):
            self.column = i + 1
            ends.append(self.flow(cell, x, own - (self.gutter if i == 0 else 0), at))
            x += own
        self.column = 0
        return max(ends, key=lambda a: (a[0], -a[1]))

    def write(self, target):
        x, width = self.margin, self.page[0] - 2 * self.margin
        if self.side_heads:
            x, width = self.page[0] * self.narrow, self.page[0] * (1 - self.narrow) - self.margin
        self.flow(self.resume["blocks"], x, width, (0, self.page[1] - self.margin - self.size))
        pages = 1 + max(p[0] for p in self.pieces)
        canvas = Canvas(target, pagesize=self.page, invariant=1)
        for page in range(pages):
            self.write_page(canvas, page, pages)
        canvas.save()

    def write_page(self, canvas, page, pages):
        own = [p for p in self.pieces if p[0] == page]
        keys = {"rows": lambda p: (-round(p[1]), p[2]), "columns": lambda p: p[7], "late": lambda p: p[8], "fonts": lambda p: p[4]}
        if self.order in keys:
            own.sort(key=keys[self.order])
        for _, y, x, text, font, size, spacing, _, _ in own:
            self.write_piece(canvas, x, y, text, font, size, spacing)
        for shape_page, x, y, width in self.shapes:
            if shape_page == page:
                canvas.line(x, y, x + width, y)
        if self.footer and pages > 1:
            y = self.margin / 2 if self.footer == "footer" else self.page[1] - self.margin / 2
            name = next(b["text"] for b in self.resume["blocks"] if b["kind"] == "name")
            self.write_piece(canvas, self.margin, y, f"{name} – {page + 1}/{pages}", self.plain, self.size * 0.8, 0)
        canvas.showPage()

    def write_piece(self, canvas, x, y, text, font, size, spacing):
        parts = [text]
        if self.pieces_of == "letters" and font != "ZapfDingbats":
            parts = list(text)
        elif self.pieces_of != "line":
            parts = [p for word in text.split(" ") for p in (*self.cut(word), " ")][:-1]
        canvas.setFont(font, size)
        for part in [text] if spacing else parts:
            if part != " ":
                canvas.drawString(x, y, part, charSpace=spacing)
            x += self.width(part, font, size)

    def cut(self, word):
        if self.pieces_of != "kerned" or len(word) < 3:
            return [word]
        at = self.random.randrange(1, len(word))
        return [word[:at], word[at:]]
