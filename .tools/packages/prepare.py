"""Prints the OpenAPI document from which the packages are generated: prepare.py DOCUMENT."""
import json
import sys

document = json.load(open(sys.argv[1]))
# PUT takes the preferences that GET returns. The schema of a response is open to new values, so that types generated
# from the published document allow only those of requests.
document["components"]["schemas"]["PutPreferencesRequest"]["oneOf"].append({"$ref": "#/components/schemas/SavedWorkPreferences"})
json.dump(document, sys.stdout)
