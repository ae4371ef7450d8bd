"""Converts sources to PDF files: one JSON list of [source, target] on standard input.

Writes the targets that failed, with the reason, to standard error and exits with 1.
"""
import concurrent.futures, json, os, pathlib, subprocess, sys, tempfile


def prepare_fonts(cache):
    """Puts the packages' fonts where the engines find them."""
    fonts = pathlib.Path(cache, "fonts").resolve()
    cjk = fonts / "cjk.ttc"
    devanagari = fonts / "devanagari.ttf"
    if not (cjk.exists() and devanagari.exists()):  # a link into the packages of an earlier Python leads nowhere
        import noto_cjk_sans_otc
        from fontTools.ttLib import TTFont
        fonts.mkdir(parents=True, exist_ok=True)
        collection = next(pathlib.Path(noto_cjk_sans_otc.__file__).parent.rglob("*.ttc"))
        cjk.unlink(missing_ok=True)
        cjk.symlink_to(collection.resolve())
        package = pathlib.Path(__file__).parent / "node_modules/@fontsource/noto-sans-devanagari/files"
        font = TTFont(package / "noto-sans-devanagari-devanagari-400-normal.woff2")
        font.flavor = None
        font.save(devanagari)
    # Type 1 fonts, which TeX brings, match families that nobody has.
    write_settings(fonts / "fonts.conf",
        '<selectfont><rejectfont><pattern><patelt name="fontformat"><string>Type 1</string></patelt></pattern></rejectfont></selectfont>'
        f"<dir>/usr/share/fonts</dir><dir>{fonts}</dir><cachedir>{fonts}/cache</cachedir>")
    write_settings(fonts / "system.conf", f"<include>/etc/fonts/fonts.conf</include><dir>{fonts}</dir>")
    os.environ["FONTCONFIG_FILE"] = str(fonts / "fonts.conf")
    return str(fonts)


def write_settings(file, settings):
    file.write_text(f'<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>{settings}</fontconfig>')


def run_tex(source, target):
    command = ["xelatex", "-interaction=nonstopmode", "-halt-on-error", source.name]
    env = {name: value for name, value in os.environ.items() if name != "FONTCONFIG_FILE"}  # TeX's fonts are the system's
    subprocess.run(command, cwd=source.parent, check=True, capture_output=True, env=env)
    source.with_suffix(".pdf").rename(target)


def print_with_browser(source, target, fonts):
    """Prints a page whose style names the kind of a font, which the system's settings choose."""
    with tempfile.TemporaryDirectory() as profile:
        # Nothing comes from the network: pages of others name style sheets that lie there.
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--host-resolver-rules=MAP * ~NOTFOUND",
                   f"--user-data-dir={profile}", f"--print-to-pdf={pathlib.Path(target).resolve()}", source.resolve()]
        env = os.environ | {"FONTCONFIG_FILE": f"{fonts}/system.conf"}
        subprocess.run(command, check=True, capture_output=True, timeout=120, env=env)


def convert(task):
    name, target, fonts = task
    source = pathlib.Path(name)
    try:
        if source.suffix == ".tex":
            run_tex(source, target)
        elif source.suffix == ".typ":
            import typst
            typst.compile(name, output=target, font_paths=[fonts])
        elif source.with_suffix(".yaml").exists():
            print_with_browser(source, target, fonts)
        else:
            import weasyprint
            from weasyprint.urls import URLFetcher
            fetcher = URLFetcher(allowed_protocols={"file", "data"})  # nothing comes from the network
            weasyprint.HTML(filename=name, url_fetcher=fetcher).write_pdf(target)
    except Exception as error:
        return f"{target}: {error}"


if __name__ == "__main__":
    folder = prepare_fonts(sys.argv[1])
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        failed = [e for e in pool.map(convert, [(*t, folder) for t in json.load(sys.stdin)], chunksize=8) if e]
    print("\n".join(failed), file=sys.stderr)
    sys.exit(1 if failed else 0)
