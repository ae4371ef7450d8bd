"""Draws the tree of grammar.py piece by piece, as programs do that place text themselves."""
import json, pathlib, random

import pyphen
from reportlab.lib.pagesizes import A4, letter
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

import draw, grammar

HYPHENS = pyphen.Pyphen(lang="en_US")


class Placer(draw.Sheet):
    def __init__(self, facts):
        self.facts, self.random = facts, random.Random(facts["look"] + 1)
        self.resume = {"blocks": [{"kind": "name", "text": facts["name"]}]}  # of the footer
        self.bands = grammar.Grammar(facts).page()
        pick, chance = self.random.choice, lambda p: self.random.random() < p
        latin = not any(ord(c) > 255 and c not in "–—•’☎" for c in json.dumps(facts, ensure_ascii=False))
        name = pick(["Helvetica", "Times", "Sans", "Serif", "Condensed"] if latin else ["Sans", "Serif", "Condensed"])
        self.plain, self.bold, self.italic = (self.register(font, facts["look"]) for font in draw.BASE[name])
        self.embedded = name not in ("Helvetica", "Times")
        self.size = pick([8, 8.5, 9, 9.5, 10, 10.5, 11, 12])
        self.spread = pick([1.05, 1.12, 1.2, 1.3, 1.45, 1.6])
        self.page = pick([A4, A4, letter])
        self.left, self.margin = pick([24, 36, 50, 64, 80]), pick([30, 42, 56, 72])
        self.gutter, self.name_scale, self.heading_scale = pick([6, 10, 16, 24, 36]), pick([1.6, 2, 2.5, 3]), pick([1, 1.1, 1.25, 1.45])
        self.bullet, self.indent, self.hang = pick(["•", "–", "-", "*", "▪", "zapf", "none"]), pick([0, 0, 6, 12]), pick([8, 10, 14, 18])
        self.spaced, self.mark, self.small_caps = pick([0, 0, 0, 0.8, 2.5]), pick(["●", "drawn", "zapf", "○"]), chance(0.6)
        self.hyphens, self.ligatures = latin and chance(0.3), self.embedded and latin and chance(0.2)
        self.shift, self.icon = pick([0, 0, 0, 0.4, 1.2]), pick([")", "%", "+", ""])
        self.order = pick(["flow", "flow", "rows", "columns", "late", "fonts"])
        self.pieces_of = pick(["line", "line", "words", "kerned", "letters"])
        self.footer = pick(["", "", "footer", "header"])
        self.leading_of = [1, pick([1, 1, 0.95, 1.1])]  # of columns beside each other
        self.side_heads = False
        self.pieces, self.shapes, self.column, self.pace = [], [], 0, 1

    def register(self, name, look):
        """Registers a font whose ascent and descent are told oddly in half of the files."""
        if not name.startswith("DejaVu"):
            return name
        font = TTFont(f"{name}-{look}", draw.DEJAVU / f"{name}.ttf")
        font.face.ascent, font.face.descent = self.random.choice([(font.face.ascent, font.face.descent)] * 3 + [(700, -200), (1050, -350), (760, -240)])
        pdfmetrics.registerFont(font)
        return font.fontName

    def style(self, role):
        """Returns font, size and whether letters are small capitals."""
        font = {"bold": self.bold, "boldcaps": self.bold, "name": self.bold, "heading": self.bold, "italic": self.italic}.get(role, self.plain)
        size = self.size * {"name": self.name_scale, "heading": self.heading_scale, "small": 0.85}.get(role, 1)
        return font, size, role in ("caps", "boldcaps") and self.small_caps

    def words(self, runs):
        """Returns [pieces, space before] of each word; a piece is [text, font, size]."""
        words, after = [], True
        for text, role in runs:
            if role == "icon":
                if self.icon:
                    words.append(([[self.icon, "ZapfDingbats", self.size]], self.size * 0.3))
                after = True
                continue
            font, size, caps = self.style(role)
            space = self.width(" ", font, size)
            for i, part in enumerate(text.split(" ")):
                if i or after:
                    words.append(([], space * (1 if part else 3)))
                after = part == "" and i == text.count(" ")
                if part:
                    words[-1][0].extend(self.capital_pieces(part, font, size) if caps else [[self.ligate(part), font, size]])
        return [w for w in words if w[0]]

    def capital_pieces(self, word, font, size):
        pieces = [[word[0].upper(), font, size]]
        return pieces + ([[word[1:].upper(), font, size * 0.8]] if word[1:] else [])

    def ligate(self, word):
        return word.replace("fi", "ﬁ").replace("fl", "ﬂ") if self.ligatures else word

    def word_width(self, word):
        return sum(self.width(*piece) for piece in word[0])

    def break_words(self, words, width):
        lines, used = [[]], 0
        for word in words:
            w = self.word_width(word)
            if lines[-1] and used + word[1] + w > width:
                head = self.hyphenate(word, width - used - word[1]) if self.hyphens else None
                if head:
                    lines[-1].append(([[head, *word[0][0][1:]]], word[1]))
                    word = ([[word[0][0][0][len(head) - 1:], *word[0][0][1:]]], word[1])
                    w = self.word_width(word)
                lines.append([])
                used = 0
            lines[-1].append(word)
            used += w + (word[1] if len(lines[-1]) > 1 else 0)
        return lines

    def hyphenate(self, word, room):
        text, font, size = word[0][0]
        if len(word[0]) > 1 or not text.isalpha() or not text.islower() or len(text) < 7:
            return None
        for head, _ in reversed(list(HYPHENS.iterate(text)) or []):
            if self.width(head + "-", font, size) <= room:
                return head + "-"
        return None

    def set_runs(self, runs, x, width, at, align="l", late=False):
        lines = self.break_words(self.words(runs), width)
        for i, line in enumerate(lines):
            if not line:
                continue
            total = sum(self.word_width(w) for w in line) + sum(w[1] for w in line[1:])
            extra = (width - total) / (len(line) - 1) if align == "j" and i + 1 < len(lines) and len(line) > 1 else 0
            start = {"c": x + (width - total) / 2, "r": x + width - total}.get(align, x)
            self.set_line(line, start, (at[0], at[1] - (self.shift if late else 0)), extra, late)
            at = self.down(at, self.spread * self.pace * max(max(p[2] for p in w[0]) for w in line))
        return at

    def set_line(self, line, x, at, extra, late):
        """Puts the words of one font together unless they are stretched."""
        held, begin, style = "", x, None
        for i, (pieces, space) in enumerate(line):
            x += space + extra if i else 0
            for k, (text, font, size) in enumerate(pieces):
                joins = style == (font, size) and not extra and (k > 0 or abs(space - self.width(" ", font, size)) < 0.01)
                if joins:
                    held += (" " if k == 0 and i else "") + text
                else:
                    if held:
                        self.put(at, begin, held, *style, late=late)
                    held, begin, style = text, x, (font, size)
                x += self.width(text, font, size)
        if held:
            self.put(at, begin, held, *style, late=late)

    def set_nodes(self, nodes, x, width, at):
        for node in nodes:
            at = getattr(self, "set_" + node[0])(node[1:], x, width, at)
        return at

    def set_text(self, node, x, width, at):
        return self.set_runs(node[0], x, width, at, node[1])

    def set_pair(self, node, x, width, at):
        right = self.words(node[1])
        share = min(sum(self.word_width(w) + w[1] for w in right) + 0.1, width * 0.5)
        after = self.set_runs(node[0], x, width - share - 8, at)
        other = self.set_runs(node[1], x + width - share, share, at, "r", True)
        return max(after, other, key=lambda a: (a[0], -a[1]))

    def set_row(self, node, x, width, at):
        cells, valign = node
        if at[1] < self.margin + 4 * self.size:
            at = (at[0] + 1, self.page[1] - self.margin - self.size)
        ends = []
        for i, (share, nodes) in enumerate(cells):
            before, self.column, outer = len(self.pieces), self.column * 5 + i + 1, self.column
            inner = width * share - (min(self.gutter, 0.25 * width * share) if i + 1 < len(cells) else 0)
            end = self.set_nodes(nodes, x, inner, at)
            ends.append((before, len(self.pieces), end))
            self.column, x = outer, x + width * share
        last = max((e[2] for e in ends), key=lambda a: (a[0], -a[1]))
        if valign == "m" and last[0] == at[0]:
            for first, after, end in ends:
                for piece in self.pieces[first:after]:
                    piece[1] -= (end[1] - last[1]) / 2
        return last

    def set_list(self, node, x, width, at):
        for text in node[0]:
            if self.bullet == "zapf":
                self.put(at, x + self.indent, "n", "ZapfDingbats", self.size * 0.6)
            elif self.bullet != "none":
                self.put(at, x + self.indent, self.bullet if self.embedded or self.bullet != "▪" else "•")
            indent = self.indent + (self.hang if self.bullet != "none" else 0)
            at = self.set_runs([(text, "plain")], x + indent, width - indent, at)
        return at

    def set_heading(self, node, x, width, at):
        font, size, _ = self.style("heading")
        at = self.down(at, (size - self.size) * self.spread)
        if self.spaced and self.width(node[0], font, size, self.spaced) < width:
            self.put(at, x, node[0], font, size, self.spaced)
            return self.down(at, size * self.spread)
        return self.set_runs([(node[0], "heading")], x, width, at)

    def set_gap(self, node, x, width, at):
        return self.down(at, node[0] * self.size)

    def set_rule(self, node, x, width, at):
        self.shapes.append((at[0], x, at[1] + self.size * 0.9, width))
        return at

    def set_mark(self, node, x, width, at):
        if self.mark in "●○" and self.embedded:
            self.put(at, x, self.mark)
        elif self.mark == "zapf":
            self.put(at, x, "l", "ZapfDingbats")
        return at

    def flow(self, blocks, x, width, at):
        x, width = self.left, self.page[0] - 2 * self.left
        at = self.down(at, self.size * (self.name_scale - 1))
        for band in self.bands:
            ends, left = [], x
            for i, (share, nodes) in enumerate(band):
                self.column, self.pace = i, self.leading_of[i % 2] if len(band) > 1 else 1
                own = width * share
                ends.append(self.set_nodes(nodes, left, own - (self.gutter if i + 1 < len(band) else 0), at))
                left += own
            at, self.column = max(ends, key=lambda a: (a[0], -a[1])), 0
        return at


def place(source, target):
    Placer(json.loads(pathlib.Path(source).read_text())).write(target)
