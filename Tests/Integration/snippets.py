"""Tries the Swift snippets of docs/library.md, of the articles of the libraries, and of their doc comments.

Each snippet of a page is a whole: it compiles by itself. Of doc comments those are compiled that begin with their imports. A snippet of
TimelineCore alone is run if it tells what it prints, as `print(value)  // text`, or `// text, then text`. The page shows each example
program as it is in Sources/Tools/timeline-examples.
"""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))
from patience import patience  # noqa: E402 - it lies above

CHECKOUT, SCRATCH = Path(sys.argv[1]), Path(sys.argv[2])
DEBUG = CHECKOUT / ".build/tests/debug"
LIBRARIES = ["TimelineCore", "TimelineClocks", "TimelineMachine", "TimelineFoundation", "TimelineTesting", "TimelinePluginKit"]
LIMIT_SECONDS = patience(120)
# A file with one of these is no script: it declares, and something else calls it.
DECLARES = ("@c(", "@Test", "@main")


def blocks(lines):
    """The fenced blocks of Swift: the number of the first line, and the text."""
    body, start = None, 0
    for number, line in enumerate(lines, 1):
        if body is None and line.strip() == "```swift":
            body, start = [], number + 1
        elif body is not None and line.strip() == "```":
            yield start, "\n".join(body) + "\n"
            body = None
        elif body is not None:
            body.append(line)


def snippets():
    for page in [CHECKOUT / "docs/library.md", *sorted(CHECKOUT.glob("Sources/*/*/*.docc/*.md"))]:
        for line, text in blocks(page.read_text().splitlines()):
            yield f"{page.relative_to(CHECKOUT)}:{line}", text
    for library in LIBRARIES:
        for file in sorted(CHECKOUT.glob(f"Sources/*/{library}/**/*.swift")):
            lines = [re.sub(r"^\s*/// ?", "", line) if "///" in line else "" for line in file.read_text().splitlines()]
            for line, text in blocks(lines):
                if text.startswith("import "):
                    yield f"{file.relative_to(CHECKOUT)}:{line}", text


def told(text):
    """The lines that a snippet tells it prints."""
    return [line for comment in re.findall(r"print\(.*\)\s+// (.+)$", text, re.M) for line in comment.split(", then ")]


def try_out(number, text):
    """Whether a snippet compiles without a warning and prints what it tells, and what was printed."""
    file, program = SCRATCH / f"snippet{number}.swift", SCRATCH / f"snippet{number}"
    file.write_text(text)
    is_run = set(re.findall(r"^import (\w+)", text, re.M)) == {"TimelineCore"} and told(text)
    command = ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-I", f"{DEBUG}/Modules"]
    for module_map in DEBUG.glob("*.build/module.modulemap"):
        command += ["-Xcc", f"-fmodule-map-file={module_map}"]
    if any(word in text for word in DECLARES):
        command.append("-parse-as-library")
    if "import PackageDescription" in text:
        toolchain = Path(os.path.realpath(shutil.which("swiftc"))).parent.parent
        command += ["-I", f"{toolchain}/lib/swift/pm/ManifestAPI", "-package-description-version", "6.2"]
    if not is_run:
        return run([*command, "-typecheck", file])
    compiles, output = run([*command, file, *DEBUG.glob("TimelineCore.build/**/*.o"), "-o", program])
    if not compiles:
        return False, output
    ends, output = run([program])
    return ends and output.splitlines() == told(text), output


def run(command):
    """Whether a program succeeds, and what it prints."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return False, str(problem)
    return done.returncode == 0, done.stdout


def check(sentence, holds, output=""):
    print(f"ok - {sentence}" if holds else f"NOT OK - {sentence}", flush=True)
    if not holds:
        print("\n".join("    " + line for line in output.splitlines()[:40]), flush=True)
    return holds


found = list(snippets())
results = [check("the pages have snippets", len(found) >= 20, f"{len(found)} were found")]
with ThreadPoolExecutor(os.cpu_count()) as pool:
    outcomes = pool.map(lambda item: try_out(item[0], item[1][1]), enumerate(found))
    for (place, _), (holds, output) in zip(found, outcomes):
        results.append(check(f"{place} is right", holds, output))
shown = {text for place, text in found if place.startswith("docs/library.md")}
for file in sorted((CHECKOUT / "Sources/Tools/timeline-examples").glob("*.swift")):
    if file.name != "main.swift":
        results.append(check(f"docs/library.md shows {file.name} as it is", file.read_text() in shown))
sys.exit(0 if all(results) else 1)
