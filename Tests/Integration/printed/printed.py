"""Runs each command line that programs and pages print, as it stands, and prints which of them did not work.

Run by 77-printed.sh as root of a machine of its own. texts.py finds the commands, tables.py has a value for each one that a program fills in,
world.py is the machine.
"""

import re
import sys
from pathlib import Path

import tables
from texts import commands, interpolated
from world import REHEARSAL, World, as_daemon, on_terminal, run

CHECKOUT = Path(sys.argv[1])
SCRIPTS = CHECKOUT / "Tests/Integration"
# Keys that end what shows a screen.
SCREENS = {"watch": b"q", "rehearse": b"q", "edit": b""}
LEAST = 60
failures = 0
# Rows of the tables that no command has needed so far.
unused = {row for table in (tables.VALUES, tables.ENDS, tables.ELSEWHERE, tables.NOT_TYPED) for row in table}


def check(sentence, holds, found=""):
    global failures
    print(f"ok - {sentence}" if holds else f"NOT OK - {sentence}", flush=True)
    if not holds:
        failures += 1
        print("\n".join("    " + line for line in found.splitlines()[-20:]), flush=True)


class Unknown(Exception):
    """A part of a command for which the tables have no value."""


def shown(text, values):
    """The command as it stands in the source."""
    return interpolated(text, values, lambda expression: f"\\({expression})")


def filled(text, values, world):
    """The command with a value of the world for each one that its program fills in, and for each placeholder."""

    def value(expression):
        if expression not in tables.VALUES:
            raise Unknown(f"`\\({expression})` has no value: add it to VALUES in Tests/Integration/printed/tables.py")
        unused.discard(expression)
        return tables.VALUES[expression]

    text = interpolated(text, values, value).replace('\\"', '"')
    known = dict(tables.PLACEHOLDERS)
    for name, of_verb in tables.OF_VERBS.items():
        known.update((name, of_verb[word]) for word in text.split() if word in of_verb)

    def placeholder(match):
        name = match[0]
        if name == "RUN":
            return str(world.active_run())
        if name not in known:
            raise Unknown(f"the placeholder {name} has no value: add it to PLACEHOLDERS in Tests/Integration/printed/tables.py")
        return known[name]

    return re.sub(r"(?<![\w=])(?:[A-Z]{2,}|@name@)(?![\w=])|(?<=scaled:)N\b|(?<==)JOB\b", placeholder, text)


def performed(command):
    words = command.split()
    verb = next((word for word in words if word in SCREENS), None)
    if words[0] in ("timelined", "timelined-web"):
        return as_daemon(command)
    if verb:
        return on_terminal(command, SCREENS[verb])
    if words[:2] == ["timelinectl", "clock"]:
        command = f"TIMELINED_SOCKET={REHEARSAL} {command}"
    return run(command)


def in_script(command, script):
    """Whether the script contains the command, by whatever path it names the program."""
    text = re.sub(r'"\$ctl"|"\$stage/timelinectl"', "timelinectl", (SCRIPTS / script).read_text())
    return command in text


def tried(place, text, values, world):
    command, program = shown(text, values), text.split()[0]
    sentence = f"{place}: {command}"
    unused.discard(command)
    if command in tables.NOT_TYPED:
        return
    expected = tables.ENDS.get(command, (0, ""))[0]
    script = tables.STARTED.get(program) or tables.ELSEWHERE.get(command)
    if script:
        check(f"{sentence}: {script} runs it", in_script(program if program in tables.STARTED else command, script), "it does not")
        return
    try:
        world.ensure()
        command = filled(text, values, world)
    except Unknown as unknown:
        check(sentence, False, str(unknown))
        return
    if world.database is None and command.startswith("timelinectl cluster"):
        return
    status, output = performed(command)
    check(f"{sentence} works", status == expected, f"$ {command}\n{output}\nexit status {status}, expected {expected}")


def main():
    found, bare = commands(CHECKOUT)
    for place, command in bare:
        check(f"{place}: {command} is marked as a command", False, "put it into backquotes: this test then runs it")
    world = World()
    # Each once, at its first place.
    seen = {shown(text, values): (place, text, values) for place, text, values in reversed(found)}
    for place, text, values in reversed(seen.values()):
        tried(place, text, values, world)
    check("each row of the tables is about a command that is printed", not unused, f"none needs {sorted(unused)}")
    check("the commands are found", len(seen) >= LEAST, f"{len(seen)} were found")
    world.end()
    return 1 if failures else 77 if world.database is None else 0


sys.exit(main())
