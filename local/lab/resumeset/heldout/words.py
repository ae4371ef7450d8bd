"""Draws the words of languages/en.txt that name things from the lists of mimesis 22.2.0 (MIT): persons,
occupations, employers and universities. Prints the file; the other words are those of the file in its
first argument. Run once, with: pip install mimesis==22.2.0; python words.py ../retired/languages/en-2.txt
"""
import json, pathlib, random, sys

import mimesis

lists = pathlib.Path(mimesis.__file__).parent / "datasets/en"
person, finance = (json.loads((lists / f"{name}.json").read_text()) for name in ("person", "finance"))
draw = random.Random(20261123)


def line(key, values):
    return f"{key}: {' | '.join(values)}"


def people(count):
    given = draw.sample(person["names"]["female"], count // 2) + draw.sample(person["names"]["male"], count // 2)
    return [f"{name} {surname}" for name, surname in zip(given, draw.sample(person["surnames"], count))]


def companies(count):
    """Every fifth one has its legal form."""
    names, forms = draw.sample(finance["company"]["name"], count), finance["company"]["type"]["abbr"]
    return [f"{name} {draw.choice(forms)}" if i % 5 == 0 else name for i, name in enumerate(names)]


titles = draw.sample(person["occupation"], 160)
own = [line("people", people(120)), *(line("titles", titles[i:i + 4]) for i in range(0, len(titles), 4)),
       line("companies", companies(120)), line("schools", draw.sample(person["university"], 30))]
kept = [text for text in pathlib.Path(sys.argv[1]).read_text().splitlines()
        if text.split(":")[0] not in ("people", "titles", "companies", "schools") and not text.startswith("#")]
print("# Made by words.py. One key a line, values parted by bars; a key that is repeated adds a group of values.")
print("\n".join(own + kept))
