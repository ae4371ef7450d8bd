"""Writes the tree of grammar.py as HTML, and prints it with WeasyPrint or Chromium."""
import html, json, os, pathlib, random, subprocess, tempfile

import grammar

FONTS = '"DejaVu {}","Noto Sans CJK JP","Noto Sans Devanagari"'


class Page:
    def __init__(self, facts, joins_capitals):
        self.joins_capitals = joins_capitals  # the engine mistakes small capitals for letters of the other case
        self.random = random.Random(facts["look"] + 1)
        pick = self.random.choice
        self.facts, self.bands = facts, grammar.Grammar(facts).page()
        self.pair, self.row, self.band = pick(["flex", "float", "table"]), pick(["table", "grid", "flex"]), pick(["flex", "grid", "float", "table"])
        self.list = pick(["ul", "ul", "• ", "– ", "▪ ", "none"])
        self.mark = pick(["●", "●", "○", "◆", '<i style="display:inline-block;width:6px;height:6px;background:#333"></i>'])
        self.start, self.end = ("right", "left") if facts["dir"] == "rtl" else ("left", "right")
        self.gutter = pick([4, 8, 14, 24])
        self.size, self.leading = pick([8.5, 9, 10, 11]), pick([1.1, 1.2, 1.35, 1.5])

    def sheet(self):
        pick = self.random.choice
        return (f'@page{{size:{pick(["A4", "Letter"])};margin:{pick([10, 14, 18, 22])}mm{pick(["", ";@bottom-right{content:counter(page)}"])}}}'
                f'body{{font:{self.size}pt/{self.leading} {FONTS.format(pick(["Sans", "Serif", "Sans Condensed"]))};margin:0}}'
                f'.name{{font-size:{pick([1.6, 2, 2.6])}em;font-weight:{pick(["bold", "normal"])};letter-spacing:{pick([0, 0, 0.05, 0.15])}em}}'
                f'.heading{{font-size:{pick([1, 1.15, 1.3])}em;font-weight:bold;letter-spacing:{pick([0, 0, 0.06, 0.2])}em;font-variant:{"normal" if self.joins_capitals else pick(["normal", "normal", "small-caps"])}}}'
                '.bold,.boldcaps{font-weight:bold}.italic{font-style:italic}.small{font-size:.85em}'
                f'.caps,.boldcaps{{{"text-transform:uppercase" if self.joins_capitals else "font-variant:small-caps"}}}'
                f'.r{{text-align:{self.end}}}.c{{text-align:center}}.j{{text-align:justify{pick(["", ";hyphens:auto"])}}}ul{{margin:0;padding-left:{pick([1, 1.4, 2])}em}}'
                f'.flex{{display:flex;justify-content:space-between}}.float>:last-child{{float:{self.end}}}.float::after{{content:"";display:block;clear:both}}'
                'table{border-collapse:collapse;width:100%;table-layout:fixed}td{vertical-align:top;padding:0}hr{border:0;border-top:1px solid #888;margin:1pt 0}')

    def write(self):
        direction = self.facts["dir"]
        body = "".join(self.columns(band, self.band) for band in self.bands)
        return f'<!DOCTYPE html><html lang="{self.facts["code"]}" dir="{direction}"><meta charset="utf-8"><style>{self.sheet()}</style><body>{body}</body></html>'

    def columns(self, cells, kind, valign="t"):
        if len(cells) == 1:
            return f"<div>{self.nodes(cells[0][1])}</div>"
        shares = [f"{100 * share:.2f}%" for share, _ in cells]
        gap, inner = f"padding-inline-end:{self.gutter}px", [self.nodes(nodes) for _, nodes in cells]
        if kind == "table":
            style = f"{gap};vertical-align:{'middle' if valign == 'm' else 'top'}"
            return "<table><tr>" + "".join(f'<td style="width:{w};{style}">{n}</td>' for w, n in zip(shares, inner)) + "</tr></table>"
        align = "center" if valign == "m" else "start"
        if kind == "float":
            return "<div>" + "".join(f'<div style="float:{self.start};width:{w};box-sizing:border-box;{gap}">{n}</div>' for w, n in zip(shares, inner)) + '<div style="clear:both"></div></div>'
        outer = f"display:grid;grid-template-columns:{' '.join(shares)}" if kind == "grid" else "display:flex"
        return f'<div style="{outer};align-items:{align}">' + "".join(f'<div style="width:{w};box-sizing:border-box;{gap}">{n}</div>' if kind == "flex" else f'<div style="{gap}">{n}</div>' for w, n in zip(shares, inner)) + "</div>"

    def nodes(self, nodes):
        return "".join(getattr(self, "write_" + node[0])(*node[1:]) for node in nodes)

    def runs(self, runs):
        return "".join(f'<span class="{role}">{html.escape(text)}</span>' for text, role in runs)

    def write_text(self, runs, align):
        return f'<div class="{align}">{self.runs(runs)}</div>'

    def write_pair(self, left, right):
        if self.pair == "table":
            return f'<table style="table-layout:auto"><tr><td>{self.runs(left)}</td><td style="text-align:end">{self.runs(right)}</td></tr></table>'
        return f'<div class="{self.pair}"><span>{self.runs(left)}</span><span>{self.runs(right)}</span></div>'

    def write_row(self, cells, valign):
        return self.columns(cells, self.row, valign)

    def write_list(self, texts):
        if self.list == "ul":
            return "<ul>" + "".join(f"<li>{html.escape(t)}</li>" for t in texts) + "</ul>"
        mark = "" if self.list == "none" else self.list
        return "".join(f"<div>{mark}{html.escape(t)}</div>" for t in texts)

    def write_heading(self, text):
        return f'<div class="heading">{html.escape(text)}</div>'

    def write_gap(self, lines):
        return f'<div style="height:{lines * self.size:.1f}pt"></div>'

    def write_rule(self):
        return "<hr>"

    def write_mark(self):
        return self.mark


def print_page(source, target):
    page = Page(json.loads(pathlib.Path(source).read_text()), source.endswith(".print")).write()
    if source.endswith(".print"):
        import weasyprint
        weasyprint.HTML(string=page).write_pdf(target)
        return
    with tempfile.TemporaryDirectory() as profile:
        file = pathlib.Path(profile, "page.html")
        file.write_text(page)
        print_with_browser(file, target, profile)


def print_with_browser(source, target, profile=None, fonts=None):
    with tempfile.TemporaryDirectory() as own:
        env = os.environ | ({"FONTCONFIG_FILE": fonts} if fonts else {})
        # Nothing comes from the network: pages of others name style sheets that lie there.
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={profile or own}/data", f"--print-to-pdf={pathlib.Path(target).resolve()}", pathlib.Path(source).resolve()], check=True, capture_output=True, timeout=120, env=env)
