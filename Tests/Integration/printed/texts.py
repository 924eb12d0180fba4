"""The command lines in what programs print: in the string literals of Swift, and in the lines of other files that a user reads."""

import re
from pathlib import Path

PROGRAMS = r"timelinectl|timelined-web|timelined(?= -)|timeline-store|timeline-host|systemctl|journalctl|crontab -l \|"
# Stands for an interpolated value while the text around it is read: its number, between two of these.
MARK = "\x01"
QUOTED = re.compile(rf"(?:`|<code>)((?:{PROGRAMS}) [^`<]*?)\\?(?:`|</code>)")
# The rest of a line that begins with a program, which the help and the demonstration show on a line of its own.
ALONE = re.compile(rf"^ *(?:\$ )?((?:(?:{PROGRAMS})|{MARK}\d+{MARK}) .*)$")
TOOL = ("Self.tool", "tool")
# The same in a remark of a file that a user edits, with what it does beside it.
REMARKED = re.compile(rf"^# {{2,}}((?:{PROGRAMS}) \S.*?)(?: {{2,}}.*)?$")
# A command that is not marked as one: an option, a verb or a unit follows the program.
BARE = re.compile(
    rf"(?<![\w./`-])(?<!by )(timelinectl (?!writes\b|as\b|of\b|there\b|does\b|is\b)[a-z]+|systemctl (?:--)?[a-z-]+|journalctl (?:-|[A-Z_]+=)|timelined(?:-web)? --[a-z]+)")


class Literals:
    """Reads the string literals of a Swift file; adjacent ones that `+` joins are one text."""

    def __init__(self, source):
        self.source, self.at = source, 0
        self.texts = []  # (line, text, interpolated expressions)

    def read(self, end=None):
        """Reads code up to its end, or up to the parenthesis that closes an interpolation."""
        depth, joined = 0, None
        while self.at < len(self.source):
            rest = self.source[self.at : self.at + 4]
            if rest.startswith("//"):
                self.at = (self.source + "\n").index("\n", self.at)
            elif rest.startswith("/*"):
                self.at = self.source.index("*/", self.at) + 2
            elif match := re.compile(r'(#*)("""|")').match(self.source, self.at):
                line = self.source.count("\n", 0, self.at) + 1
                text, values = self.literal(match)
                if joined is not None:
                    before = self.texts[joined]
                    shift = len(before[2])
                    text = re.sub(f"{MARK}(\\d+){MARK}", lambda found: f"{MARK}{int(found[1]) + shift}{MARK}", text)
                    self.texts[joined] = (before[0], before[1] + text, before[2] + values)
                else:
                    joined = len(self.texts)
                    self.texts.append((line, text, values))
                if not re.compile(r'\s*\+\s*#*"').match(self.source, self.at):
                    joined = None
                else:
                    self.at = self.source.index("+", self.at) + 1
            else:
                if rest[0] == "(":
                    depth += 1
                elif rest[0] == ")":
                    depth -= 1
                    if end and depth < 0:
                        return
                self.at += 1

    def literal(self, opening):
        """The text of a literal and its expressions; what is nested in an expression is a text of its own."""
        hashes, quote = opening[1], opening[2]
        self.at = opening.end()
        text, values = "", []
        escape, closing = "\\" + hashes, quote + hashes
        while not self.source.startswith(closing, self.at):
            if not self.source.startswith(escape, self.at):
                text += self.source[self.at]
                self.at += 1
                continue
            self.at += len(escape)
            after = self.source[self.at]
            self.at += 1
            if after == "(":
                begin = self.at
                self.read(end=")")
                text += f"{MARK}{len(values)}{MARK}"
                values.append(" ".join(self.source[begin : self.at].split()))
                self.at += 1
            elif after == "\n":
                self.at = re.compile(r"[ \t]*").match(self.source, self.at).end()
            else:
                text += {"n": "\n", "t": "\t"}.get(after, after)
        self.at += len(closing)
        return text, values


def swift(path):
    reader = Literals(path.read_text())
    reader.read()
    for line, text, values in reader.texts:
        yield line, text, values


def plain(path):
    """The lines of another file; of a program, without its remarks."""
    remarks = ("//", "*", "/*", "#") if path.suffix in (".js", ".css", ".c", ".h", ".cpp", ".sh", ".py") else ()
    for line, text in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if remarks and text.strip().startswith(remarks):
            continue
        values = re.findall(r"\{\{ (.*?) \}\}|\$\{(.*?)\}", text)
        numbers = iter(range(len(values)))
        yield line, re.sub(r"\{\{ .*? \}\}|\$\{.*?\}", lambda _: f"{MARK}{next(numbers)}{MARK}", text), [a or b for a, b in values]


def begins(command, values):
    """Whether a line that begins with an interpolated value begins with the program's path."""
    value = re.match(f"{MARK}(\\d+){MARK}", command)
    return value is None or values[int(value[1])] in TOOL


def manual(path):
    """The commands of a manual page: literals, indented lines, and lines of a display."""
    for line, text in enumerate(path.read_text().splitlines(), 1):
        match = re.match(rf"(?:\.(?:Dl|Ql) )?((?:{PROGRAMS}) \S.*?)(?: [.,:;])?$", text)
        if match:
            yield line, re.sub(r"\bAr (\w+)", lambda argument: argument[1].upper(), match[1])


def page(path):
    """The commands that a page has within a line."""
    for line, text in enumerate(path.read_text().splitlines(), 1):
        for match in QUOTED.finditer(text):
            yield line, match[1]


def interpolated(text, values, value):
    """The command with `value` of each expression that its program fills in."""
    return re.sub(f"{MARK}(\\d+){MARK}", lambda match: value(values[int(match[1])]), text)


def texts(path):
    return swift(path) if path.suffix == ".swift" else plain(path)


def printable(checkout):
    """The files of which a user reads something."""
    yield checkout / "Makefile"
    for root in ("Sources", "etc", "systemd", "packaging"):
        for path in sorted((checkout / root).rglob("*")):
            if path.is_file() and not path.is_symlink() and path.suffix not in (".md", ".resolved"):
                yield path


def commands(checkout):
    """Each command: where it stands, its text, and its interpolated expressions; and each one that is not marked as one."""
    found, bare = [], []
    for path in printable(checkout):
        name = path.relative_to(checkout)
        if re.search(r"\.[18]\.in$", path.name):
            found += [(f"{name}:{line}", command, []) for line, command in manual(path)]
            continue
        is_script = path.name == "Makefile" or name.parts[0] == "packaging"
        for line, text, values in texts(path):
            if is_script and "echo " not in text:
                continue
            place, rest = f"{name}:{line}", text
            for match in QUOTED.finditer(text):
                found.append((place, match[1], values))
                rest = rest.replace(match[0], "")
            if path.suffix == ".toml" and (match := REMARKED.match(text)):
                found.append((place, match[1], values))
                rest = ""
            if path.suffix == ".swift" and "\n" in text:
                for row in text.split("\n"):
                    match = ALONE.match(row)
                    command = match and match[1].split("  #")[0].strip()
                    # A row of a table has columns.
                    if command and begins(command, values) and "  " not in command:
                        found.append((place, command, values))
                        rest = rest.replace(row, "")
            bare += [(place, match[0]) for match in BARE.finditer(rest)]
    return found, bare


if __name__ == "__main__":
    found, bare = commands(Path(__file__).resolve().parents[3])
    for place, command, values in found:
        print(place, "|", interpolated(command, values, lambda expression: f"\\({expression})"))
    print("-- bare")
    for each in bare:
        print(*each)
