"""Holds the JSON Schema of `timelinectl schema` against configurations, and prints what held.

What `check` accepts fits: the sample, the examples of the pages, and the right files of the configuration's tests. What it refuses does
not fit, but for mistakes that a schema cannot express, which are listed here.
"""

import datetime
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema

sys.path.append(str(Path(__file__).resolve().parent.parent))
from patience import patience  # noqa: E402 - it lies above

CHECKOUT, SCRATCH, TAPLO = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
STAGE = CHECKOUT / ".build/stage"
GOLDEN = CHECKOUT / "Tests/TimelineConfigurationTests"
LIMIT_SECONDS = patience(60)
# Wrong by a second file, by the order, depth or sum of values, by the calendar, by the machine, by the schema of a plugin of the test, or
# by a contradiction of two keys.
INEXPRESSIBLE = {
    "column-bidi", "expectations-refuted", "files-settings-in-jobs", "job-none", "policy-animation", "policy-crowd",
    "schedule-dates-order", "schedule-ended", "schedule-gap-and-fold", "schedule-out-of-range", "schema-broken",
    "schema-not-json", "setup-in-process", "value-plugins", "value-zones", "limit-depth", "limit-dotted-key", "schema-keys",
    "schema-nested", "schema-types", "schema-values", "value-infinity", "cluster-none", "reactions-late",
}
results = []


def check(sentence, holds, output=""):
    print(f"ok - {sentence}" if holds else f"NOT OK - {sentence}", flush=True)
    if not holds:
        print("\n".join("    " + line for line in str(output).splitlines()[:40]), flush=True)
    results.append(holds)


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT_SECONDS)
    return done.returncode, done.stdout


def plain(value):
    """TOML as JSON has it: dates are strings."""
    if isinstance(value, dict):
        return {key: plain(member) for key, member in value.items()}
    if isinstance(value, list):
        return [plain(element) for element in value]
    return value.isoformat() if isinstance(value, (datetime.date, datetime.time)) else value


def faults(schema, data):
    try:
        value = plain(tomllib.loads(data.decode()))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return [f"no TOML: {error}"]
    return [f"{'/'.join(map(str, fault.absolute_path))}: {fault.message}" for fault in schema.iter_errors(value)]


def schema(*options):
    status, text = run(STAGE / "timelinectl", "schema", "--host", STAGE / "timeline-host", *options)
    check(f"timelinectl schema {' '.join(map(str, options))} prints JSON", status == 0 and text.startswith("{"), text)
    value = json.loads(text)
    jsonschema.Draft7Validator.check_schema(value)
    return jsonschema.Draft7Validator(value), text


bare, _ = schema("--skip-plugins")
full, text = schema("--plugins", STAGE / "plugins")
for plugin in ("exec", "http", "log", "notify", "process"):
    check(f"the parameters of {plugin} are part of it", f'"const":"{plugin}"' in text)

for file in sorted(CHECKOUT.glob("etc/*.toml")):
    found = faults(full, file.read_bytes())
    check(f"{file.relative_to(CHECKOUT)} fits", not found, "\n".join(found))
for file in sorted(GOLDEN.glob("Right/*.toml")):
    # Some hold several files of one configuration.
    found = [fault for part in re.split(rb"^#--- .*\n", file.read_bytes(), flags=re.M) for fault in faults(bare, part)]
    check(f"{file.name} fits", not found, "\n".join(found))
for page in [CHECKOUT / "README.md", *sorted(CHECKOUT.glob("docs/*.md"))]:
    for block in re.findall(r"^```toml\n(.*?)^```", page.read_text(), re.S | re.M):
        # Some show keys of a job without its table.
        found = faults(full, block.encode()) if "[" in block.splitlines()[0] else []
        check(f"an example of {page.name} fits", not found, block + "\n".join(found))
for file in sorted(GOLDEN.glob("Wrong/*.toml")):
    messages = file.with_suffix(".txt").read_text()
    found = faults(bare, file.read_bytes())
    if "error: " not in messages:
        check(f"{file.name}, of which check only warns, fits", not found, "\n".join(found))
    else:
        check(f"{file.name} {'fits all the same' if file.stem in INEXPRESSIBLE else 'does not fit'}",
              bool(found) == (file.stem not in INEXPRESSIBLE), messages)

path = SCRATCH / "timelined.schema.json"
path.write_text(text)
for name, config, fits in [
    ("right", CHECKOUT / "etc/timelined.toml", True), ("wrong", GOLDEN / "Wrong/value-enums.toml", False),
]:
    copy = SCRATCH / f"{name}.toml"
    copy.write_text(f"#:schema {path.name}\n" + config.read_text())
    status, said = run(TAPLO, "check", copy)
    check(f"a language server {'accepts' if fits else 'refuses'} {config.name} by its #:schema line", (status == 0) == fits, said)
sys.exit(0 if all(results) else 1)
