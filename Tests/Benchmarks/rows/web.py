"""How long the web page takes to draw a window with 10,000 runs, and how large it is. `make web-test` installs the browser's driver, and builds
the page's server; that of a base is built by `make web` in its directory."""
import tempfile


def measure(bench):
    found = bench.own(lambda build: drawn(bench, build))
    times = {f"{name}, {what}": told[key] for what, key in (("drawing", "drawing"), ("asking, reply and drawing", "whole")) for name, told in found.items()}
    sizes = {name: [told["page"] / 1000] for name, told in found.items()}
    return {
        "time": bench.report("web: 10,000 runs drawn", "ms", times, [bench.goal("ours, drawing", 200)],
                             marks=found["ours"]["marks"], window_bytes=found["ours"]["window"]),
        "size": bench.report("web: files of the page, transferred", "kB", sizes, [bench.goal("ours", 100)]),
    }


def drawn(bench, build):
    driver, program = bench.root / ".build/playwright/bin/python3", build.root / ".build/web/stage/timelined-web"
    if not program.exists() or not driver.exists():
        raise bench.Missing(f"needs the web page and its tests: make web-test, and {program}")
    with tempfile.TemporaryDirectory(dir=bench.work) as directory:
        told = bench.result([driver, bench.root / "Tests/Web/drawing.py", build.stage, program, directory, bench.rounds])
    if told["marks"] < 10_000:
        raise bench.UnequalWork(f"{told['marks']} of 10,000 runs were drawn one by one")
    return told
