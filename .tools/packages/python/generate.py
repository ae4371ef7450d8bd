"""Writes the generated modules of the Python package: generate.py DOCUMENT FOLDER."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def keep_successes(document):
    """Leaves JSON operations with their 200 alone: every other response is raised as an APIError."""
    for path, item in list(document["paths"].items()):
        for operation in item.values():
            success = operation["responses"]["200"]
            operation["responses"] = {"200": success}
            if "application/json" not in success["content"]:
                document["paths"].pop(path, None)
    schemas = document["components"]["schemas"]
    for response in document["components"].pop("responses").values():
        for media in response.get("content", {}).values():
            name = media["schema"]["$ref"].rpartition("/")[2]
            schemas.pop(name, None)
            schemas.pop(name + "Body", None)
    return document


def replace(path, pattern, by):
    """Replaces every match of a pattern in a file, and fails where a new generator writes other code."""
    text, matches = re.subn(pattern, by, path.read_text())
    assert matches, f"{path}: no {pattern}"
    path.write_text(text)


def raise_errors(package):
    """Makes operations raise unsuccessful responses, so that they never return None."""
    replace(package / "types.py", r"parsed: T \| None", "parsed: T")
    for module in package.glob("api/*/*.py"):
        if module.name == "__init__.py":
            continue
        replace(module, r"    if client\.raise_on_unexpected_status:\n.*\n    else:\n        return None\n",
                "    raise errors.APIError(response.status_code, response.headers, response.content)\n")
        replace(module, r" \| None:\n", ":\n")
        replace(module, r"HTTPStatus\(response\.status_code\)", "HTTPStatus.OK")  # before parsing, which refuses all others
        replace(module, r"errors\.UnexpectedStatus: .*", "errors.APIError: If the API refuses the request.")


def hide_keys(package):
    """Leaves the fields out of the clients' reprs, as the token and the headers hold the API key."""
    replace(package / "client.py", r"@define\n", "@define(repr=False)\n")


def main():
    document, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as work:
        prepared, config = pathlib.Path(work, "openapi.json"), pathlib.Path(work, "config.yaml")
        prepared.write_text(json.dumps(keep_successes(json.loads(document.read_text()))))
        config.write_text("package_name_override: recruiting_marketplace\n")
        subprocess.run([
            sys.executable, "-m", "openapi_python_client", "generate", "--path", prepared, "--config", config,
            "--meta", "none", "--fail-on-warning", "--output-path", folder], check=True, stdout=subprocess.DEVNULL)
    raise_errors(folder)
    hide_keys(folder)


main()
