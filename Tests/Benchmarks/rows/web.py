"""How long the web page takes to draw a window with 10,000 runs, and how large it is. `make web-test` installs the browser's driver."""
import json
import tempfile


def measure(bench):
    driver, program = bench.root / ".build/playwright/bin/python3", bench.root / ".build/web/stage/timelined-web"
    if not program.exists() or not driver.exists():
        raise bench.Missing("needs the web page and its tests: make web-test")
    with tempfile.TemporaryDirectory(dir=bench.work) as directory:
        told = json.loads(bench.run([driver, bench.root / "Tests/Web/drawing.py", bench.stage, program, directory, bench.rounds]))
    if told["marks"] < 10_000:
        raise bench.UnequalWork(f"{told['marks']} of 10,000 runs were drawn one by one")
    drawn = {"drawing": told["drawing"], "asking, reply and drawing": told["whole"]}
    return {
        "time": bench.report("web: 10,000 runs drawn", "ms", drawn, [bench.goal("drawing", 200)], marks=told["marks"], window_bytes=told["window"]),
        "size": bench.report("web: files of the page, transferred", "kB", {"page": [told["page"] / 1000]}, [bench.goal("page", 100)]),
    }
