"""Draws the structure of a resume from a wide grammar of what templates do.

The result is a tree that place.py draws and page.py writes as HTML. A page is a list of bands, a
band a list of columns (share of the width, nodes). Nodes are tuples:
  ("text", runs, align)        runs are (text, role); align is l, r, c or j
  ("pair", left, right)        runs at both margins
  ("row", cells, valign)       cells are (share, nodes)
  ("heading", text), ("list", texts), ("gap", lines), ("rule",), ("mark",)
"""
import random

SEPARATORS = [", ", " – ", " | ", " · ", " • ", " — ", " / "]


class Grammar:
    def __init__(self, facts):
        self.facts, self.random, self.layout = facts, random.Random(facts["look"]), facts["layout"]
        self.shows_place = self.chance(0.65)
        self.has_lists = self.chance(0.85)
        self.upper = self.chance(0.3)
        self.heading_rule = self.pick(["", "", "below", "above"])
        self.roles = {key: self.pick(["plain", "plain", "italic", "small"]) for key in "TCLDGS"}
        self.roles[self.pick("TC")] = self.pick(["bold", "bold", "caps", "boldcaps"])
        self.roles[self.pick("GS")] = self.pick(["bold", "italic", "bold"])
        self.aligned = self.pick("llljj")
        self.entry_gap = self.pick([0, 0.2, 0.4, 0.8, 1.2])

    def pick(self, values):
        return self.random.choice(list(values))

    def chance(self, p):
        return self.random.random() < p

    # Heads: lines of (left keys, right keys), each key with what parts it from the one before.
    def draw_shape(self, first, second, dated, placed):
        keys = [first, second] if self.chance(0.6) else [second, first]
        lines = [[[(keys[0], "")], []], [[(keys[1], "")], []]]
        if self.chance(0.3):
            lines = [[[(keys[0], ""), (keys[1], self.pick(SEPARATORS))], []]]
        company = next(i for i, line in enumerate(lines) if any(k == second for k, _ in line[0]))
        if dated:
            self.add_key(lines, "D", self.random.randrange(len(lines)), 0.55)
        if placed:
            self.add_key(lines, "L", company if self.chance(0.7) else self.random.randrange(len(lines)), 0.35)
        return lines

    def add_key(self, lines, key, at, right):
        if self.chance(right):
            lines[at][1].append((key, self.pick([", ", " | ", " · "]) if lines[at][1] else ""))
        elif self.chance(0.5):
            lines.insert(self.pick([len(lines), len(lines), 0] if key == "D" else [at + 1]), [[(key, "")], []])
        elif key == "D" and self.chance(0.25):
            lines[0][0] = [("D", "")] + [(k, s or self.pick([": ", " – ", ", ", "  "])) for k, s in lines[0][0]]
        else:
            lines[at][0].append((key, self.pick([" (", ", ", " | ", " · ", " – "])))

    def head(self, shape, entry):
        nodes = []
        for left, right in shape:
            sides = [self.runs(side, entry) for side in (left, right)]
            if sides[0] and sides[1]:
                nodes.append(("pair", *sides))
            elif sides[0] or sides[1]:
                nodes.append(("text", sides[0] or sides[1], "l" if sides[0] else "r"))
        return nodes

    def runs(self, keys, entry):
        runs = []
        for key, separator in keys:
            if not entry.get(key):
                continue
            separator = separator if runs else ""
            runs.append((separator + entry[key] + (")" if separator == " (" else ""), self.roles[key]))
        return runs

    def bullets(self, entry, shorter=False):
        texts = entry.get("bullets") or []
        if not texts or shorter and self.random.random() < 0.4:
            return []
        if self.has_lists:
            return [("list", texts)]
        return [("text", [(". ".join(texts) + ".", "plain")], self.aligned)]

    # Entries in each layout.
    def entries(self, entries, first, second, layout):
        placed = self.shows_place and second == "C"
        style = getattr(self, "style_" + layout)(first, second, placed)
        out = []
        for i, entry in enumerate(entries):
            out += [("gap", self.entry_gap)] if i else []
            out += style(i, entry)
        return out

    def style_flow(self, first, second, placed):
        shape = self.draw_shape(first, second, True, placed)
        return lambda i, entry: self.head(shape, entry) + self.bullets(entry)

    def style_label(self, first, second, placed):
        share, align, valign, right = self.pick([0.14, 0.18, 0.22, 0.27]), self.pick("lllr"), self.pick("tttm"), self.chance(0.2)
        below = placed and self.chance(0.3)
        shape = self.draw_shape(first, second, False, placed and not below)
        wide_lists = self.chance(0.15)

        def style(i, entry):
            label = [("text", [(entry["D"], self.roles["D"])], align)]
            label += [("text", [(entry["L"], "small")], align)] if below and entry.get("L") else []
            cells = [(share, label), (1 - share, self.head(shape, entry) + ([] if wide_lists else self.bullets(entry)))]
            return [("row", cells[::-1] if right else cells, valign)] + (self.bullets(entry) if wide_lists else [])
        return style

    def style_table(self, first, second, placed):
        kind = self.pick(["grid", "halves", "halves", "cell", "grid"])
        placed_keys = ["L"] if placed else []
        valign, under = self.pick("tttm"), self.chance(0.7)
        if kind == "halves":
            rows = [[first, second], ["D"] + placed_keys]
            order = self.pick([((0, 0), (1, 0)), ((1, 0), (0, 0))])
            top, low = [rows[0][order[0][0]]], [rows[0][order[1][0]]]
            rights = self.pick([("D", "L"), ("L", "D"), ("D", "L")]) if placed_keys else self.pick([("D", ""), ("", "D")])
            share = self.pick([0.6, 0.7, 0.78])
            align = self.pick("lrr")

            def style(i, entry):
                out = []
                for left, right in ((top[0], rights[0]), (low[0], rights[1])):
                    cell = [("text", [(entry[right], self.roles[right])], align)] if entry.get(right) else []
                    out.append(("row", [(share, [("text", [(entry[left], self.roles[left])], "l")]), (1 - share, cell)], "t"))
                return out + self.bullets(entry)
            return style
        if kind == "cell":
            shape = self.draw_shape(first, second, False, placed)
            return lambda i, entry: [("row", [(0.24, [("text", [(entry["D"], self.roles["D"])], "l")]), (0.76, self.head(shape, entry) + self.bullets(entry, True))], valign)]
        keys = [first, second, "D"] + (placed_keys if self.chance(0.5) else [])
        self.random.shuffle(keys)
        shares = {"D": 0.2, "L": 0.2}
        rest = (1 - sum(shares.get(k, 0) for k in keys)) / 2
        ruled, titled = self.chance(0.3), second == "C" and self.chance(0.4)
        names = dict(zip("DTC", self.facts["words"]["columns"]))

        def style(i, entry):
            out = []
            if i == 0 and titled:
                out.append(("row", [(shares.get(k, rest), [("text", [(names.get(k, ""), "bold")], "l")]) for k in keys], "t"))
            cells = []
            for k in keys:
                nodes = [("text", [(entry.get(k, ""), self.roles[k])], "l")] if entry.get(k) else []
                cells.append((shares.get(k, rest), nodes + (self.bullets(entry) if not under and k == first else [])))
            out.append(("row", cells, valign))
            out += self.bullets(entry) if under else []
            return out + ([("rule",)] if ruled else [])
        return style

    def style_timeline(self, first, second, placed):
        kind, share = self.pick(["left", "left", "under", "right", "alternate"]), self.pick([0.15, 0.2, 0.26])
        shape = self.draw_shape(first, second, kind == "under", placed)
        align = self.pick("lrr")

        def style(i, entry):
            body = self.head(shape, entry) + self.bullets(entry)
            mark, date = (0.04, [("mark",)]), [("text", [(entry["D"], self.roles["D"])], align)]
            if kind == "under":
                return [("row", [mark, (0.96, body)], "t")]
            if kind == "right":
                return [("row", [mark, (0.96 - share, body), (share, date)], "t")]
            if kind == "alternate" and i % 2:
                return [("row", [(0.48, body), mark, (0.48, date)], "t")]
            if kind == "alternate":
                return [("row", [(0.48, [("text", [(entry["D"], self.roles["D"])], "r")]), mark, (0.48, body)], "t")]
            return [("row", [(share, date), mark, (0.96 - share, body)], "t")]
        return style

    # Sections.
    def heading(self, text):
        text = text.upper() if self.upper else text
        nodes = [("gap", self.pick([0.4, 0.8, 1.2])), ("heading", text)]
        if self.heading_rule:
            nodes.insert(2 if self.heading_rule == "below" else 1, ("rule",))
        return nodes

    def section(self, key, narrow):
        layout = {"single": "flow", "columns": self.columns_style}.get(self.layout, self.layout)
        if narrow:
            layout = "flow"
        f = self.facts
        if key == "experience":
            return self.entries(f["jobs"], "T", "C", layout)
        if key == "education":
            return self.entries(f["studies"], "G", "S", self.pick([layout, layout, "flow"]))
        if key == "skills":
            return self.skills(narrow)
        if key == "tongues":
            return self.tongues(narrow)
        return [("text", [(f[{"summary": "summary", "interests": "hobbies"}[key]], self.pick(["plain", "plain", "italic"]))], self.aligned)]

    def skills(self, narrow):
        skills, kind = self.facts["skills"], self.pick(["comma", "list", "bars", "grid", "groups"])
        if kind == "list" or narrow and kind == "grid":
            return [("list", skills)] if self.chance(0.6) else [("text", [(s, "plain")], "l") for s in skills]
        if kind == "grid":
            n = self.pick([2, 3])
            return [("row", [(1 / n, [("text", [(s, "plain")], "l")]) for s in skills[i:i + n]] + [(1 / n, [])] * max(0, n - len(skills[i:])), "t") for i in range(0, len(skills), n)]
        if kind == "groups" and not narrow:
            half = len(skills) // 2
            return [("row", [(0.2, [("text", [(g, "bold")], "l")]), (0.8, [("text", [(", ".join(own), "plain")], "l")])], "t") for g, own in (("Tools", skills[:half]), ("IT", skills[half:])) if own]
        return [("text", [({"bars": " | "}.get(kind, ", ").join(skills), "plain")], "l")]

    def tongues(self, narrow):
        spoken, kind = self.facts["tongues"], self.pick(["lines", "row", "pair", "line"])
        if kind == "row" and not narrow:
            return [("row", [(0.2, [("text", [(name, "plain")], "l")]), (0.8, [("text", [(level, "italic")], "l")])], "t") for name, level in spoken]
        if kind == "pair":
            return [("pair", [(name, "plain")], [(level, "small")]) for name, level in spoken]
        if kind == "line" and not narrow:
            return [("text", [(", ".join(f"{name} ({level})" for name, level in spoken), "plain")], "l")]
        return [("text", [(f"{name}{self.facts['tongue_part']}{level}", "plain")], "l") for name, level in spoken]

    # The page.
    def page(self):
        self.columns_style = self.pick(["flow", "flow", "flow", "label", "timeline"])
        order = self.facts["order"]
        if self.layout == "columns":
            return self.page_columns(order)
        head = self.header()
        if self.layout in ("single", "label") and self.chance(0.2):
            return [[(1, head)], *([self.side_heading(key) for key in order])]
        parts = []
        for key in order:
            parts += self.heading(self.facts["headings"][key]) + self.section(key, False)
        return [[(1, head)], [(1, parts)]]

    def side_heading(self, key):
        """The heading stands in a column of its own, and dates in the flow."""
        self.layout, share = "single", 0.2
        heading = [("gap", 0.5), ("heading", self.facts["headings"][key])]
        return [(share, heading), (1 - share, [("gap", 0.5)] + self.section(key, False))]

    def page_columns(self, order):
        narrow_keys = {"skills", "tongues", "interests"} | ({"education"} if self.chance(0.3) else set()) | ({"summary"} if self.chance(0.2) else set())
        inside = self.chance(0.5)  # the addresses stand in the narrow column
        full, right, share = self.chance(0.4), self.chance(0.45), self.pick([0.24, 0.28, 0.32, 0.38, 0.45])
        narrow, wide = [], []
        if inside:
            narrow += (self.heading(self.facts["headings"]["contact"]) if self.chance(0.7) else []) + self.contact(True)
        for key in order:
            (narrow if key in narrow_keys else wide).extend(self.heading(self.facts["headings"][key]) + self.section(key, key in narrow_keys))
        top = self.name_lines() + ([] if inside else self.contact(False))
        bands = []
        if full and inside and self.chance(0.4):
            narrow = top + narrow
        elif full:
            wide = top + wide
        else:
            bands.append([(1, top)])
        columns = [(share, narrow), (1 - share, wide)]
        bands.append(columns[::-1] if right else columns)
        if not full and self.chance(0.15):  # three columns below the flow
            bands = [bands[0], [(1, wide)], [(1 / 3, self.heading(self.facts["headings"][k]) + self.section(k, True)) for k in ("skills", "tongues", "interests") if k in order]]
            bands.insert(1, [(1, narrow[:0] + (self.contact(False) if inside else []))])
        return bands

    def name_lines(self):
        align = self.name_align = self.pick("llcr") if self.layout != "columns" else self.pick("llc")
        nodes = [("text", [(self.facts["name"], "name")], align)]
        if self.facts["title"]:
            nodes.insert(0, ("text", [(self.facts["title"], "heading")], align))
        return nodes

    def header(self):
        if self.chance(0.3):  # the name on one side, the addresses on the other
            cells = [(0.55, self.name_lines()), (0.45, self.contact(True))]
            return [("row", cells, "t")]
        return self.name_lines() + self.contact(False)

    def contact(self, narrow):
        texts, kind = list(self.facts["contact"]), self.pick(["lines", "joined", "labels"])
        self.random.shuffle(texts)
        if narrow and kind == "joined":
            kind = "lines"
        align = self.pick("lr") if narrow and self.layout != "columns" else "l" if narrow else getattr(self, "name_align", "l")
        if kind == "joined":
            half = self.pick([2, 4])
            separator = self.pick([" | ", " · ", " • ", "  ", " – "])
            return [("text", [(separator.join(t for _, t in texts[i:i + half]), "plain")], align) for i in range(0, 4, half)]
        if kind == "labels" and not narrow and self.chance(0.5):
            return [("row", [(0.2, [("text", [(label, "bold")], "l")]), (0.8, [("text", [(t, "plain")], "l")])], "t") for label, t in texts]
        if kind == "labels":
            return [("text", [(label + ": ", "bold"), (t, "plain")], align) for label, t in texts]
        icons = self.chance(0.4)
        return [("text", ([("☎ ", "icon")] if icons else []) + [(t, "plain")], align) for _, t in texts]
