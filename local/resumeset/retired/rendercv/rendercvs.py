"""Has RenderCV write CVs: one JSON list of [source, target] on standard input.

A source is RenderCV's input as JSON. Writes the targets that failed, with the reason, to
standard error and exits with 1.
"""
import concurrent.futures, json, pathlib, sys

# Education without the English "DEGREE in AREA", as people change it who write another language.
EDUCATION = {
    "sb2nov": "**INSTITUTION**\n*AREA*",
    "moderncv": "**INSTITUTION**, AREA -- LOCATION",
    "engineeringresumes": "**INSTITUTION**, AREA -- LOCATION",
}


def render(source, target, fonts):
    import rendercv_fonts, typst
    from rendercv import api
    cv, target = json.loads(pathlib.Path(source).read_text()), pathlib.Path(target).resolve()
    if row := EDUCATION.get(cv["design"]["theme"]):
        cv["design"]["entry_types"] = {"education_entry": {"main_column_first_row_template": row}}
    if target.suffix == ".pdf":
        page = pathlib.Path(source).resolve().with_suffix(".typ")
        errors = api.create_a_typst_file_from_a_python_dictionary(cv, page)
        if not errors:
            packages = pathlib.Path(__file__).resolve().parent / "typst"
            typst.compile(str(page), output=str(target), font_paths=[*map(str, rendercv_fonts.paths_to_font_folders), fonts], package_path=str(packages))
    elif target.suffix == ".html":
        errors = api.create_an_html_file_from_a_python_dictionary(cv, target)
    else:
        errors = api.create_a_markdown_file_from_a_python_dictionary(cv, target)
    if errors:
        raise ValueError(errors)


def convert(task):
    try:
        render(*task)
    except Exception as error:
        return f"{task[1]}: {error}"


if __name__ == "__main__":
    fonts = str(pathlib.Path(sys.argv[1], "fonts"))
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        failed = [e for e in pool.map(convert, [(*t, fonts) for t in json.load(sys.stdin)], chunksize=8) if e]
    print("\n".join(failed), file=sys.stderr)
    sys.exit(1 if failed else 0)
