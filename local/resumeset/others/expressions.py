"""Finds fields in the PDF files of a set with pdftotext (poppler) and expressions, for
`resumeset score --from`: what an afternoon's work finds, as a floor to compare with.

    python3 local/resumeset/others/expressions.py .local/resumeset/development .local/resumeset/expressions
"""
import json, pathlib, re, subprocess, sys

MONTH = r"(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+|\d{1,2}[/.])?"
DATE = MONTH + r"(?:19|20)\d\d"
PERIOD = re.compile(rf"({DATE})\s*(?:-|–|—|to|→)+\s*({DATE}|present|current|now|today)?", re.I)
NAMES = "jan feb mar apr may jun jul aug sep oct nov dec".split()
SECTION = re.compile(r"^\W*(experience|work experience|professional experience|employment|education|skills|languages|qualifications)\b", re.I)


def read_date(text):
    year = re.search(r"(19|20)\d\d", text or "")
    if not year:
        return ""
    name, number = re.match(r"[a-z]{3}", text.lower()), re.match(r"(\d{1,2})[/.]", text)
    month = NAMES.index(name[0]) + 1 if name and name[0] in NAMES else int(number[1]) if number else 0
    return f"{year[0]}-{month:02}" if 0 < month < 13 else year[0]


def find_fields(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found = {"name": lines[0] if lines else "", "emails": re.findall(r"[\w.+-]+@[\w-]+\.[\w.]+", text)[:1],
             "phones": [re.sub(r"[^+\d]", "", p) for p in re.findall(r"\+\d[\d ()-]{7,}\d", text)[:1]],
             "experiences": [], "education": [], "skills": [], "languages": []}
    profile = re.search(r"linkedin\.com/in/([\w-]+)", text)
    found["linkedinUrl"] = f"https://www.linkedin.com/in/{profile[1]}" if profile else ""
    section = ""
    for i, line in enumerate(lines):
        if heading := SECTION.match(line):
            section = heading[1].lower()
        if not (period := PERIOD.search(line)):
            continue
        rest = [p for p in re.split(r"\s{3,}|, | \| | at | @ | · | — ", PERIOD.sub("   ", line)) if p.strip(" ()")]
        rest += [p for p in re.split(r"\s{3,}|, | \| | · ", lines[i + 1])] if i + 1 < len(lines) else []
        first, second = (rest + ["", ""])[:2]
        if "education" in section or "qualif" in section:
            found["education"].append({"school": second, "degree": first})
        else:
            end = read_date(period[2])
            found["experiences"].append({"title": first, "company": second, "start": read_date(period[1]), "end": end, "isCurrent": not end})
    return found


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    for file in sorted(pathlib.Path(sys.argv[1]).glob("*.pdf")):
        text = subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, text=True).stdout
        (out / f"{file.name}.json").write_text(json.dumps(find_fields(text)))
