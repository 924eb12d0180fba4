"""What came out of it: figures, a picture in text, a picture in SVG, and what was wrong."""

from collections import Counter
from html import escape

from facts import SECOND

COLOURS = {"succeeded": "#3a7d44", "failed": "#c0392b", "retry": "#d68910", "cancelled": "#8e44ad", None: "#7f8c8d"}
BANDS = {
    "kill": "#c0392b", "death": "#000000", "restart": "#2471a3", "freeze": "#5dade2", "kill-host": "#e67e22",
    "freeze-host": "#f5cba7", "reload": "#27ae60", "bad-reload": "#abebc6", "disk-full": "#6e2c00", "no-descriptors": "#7d6608",
    "stall": "#99a3a4",
}
LETTERS = {"succeeded": "=", "failed": "!", "retry": "r", "cancelled": "c", None: "x"}


def percentile(values, percent):
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)] if values else 0


def figures(case, verdict):
    """One figure a line."""
    def share(part, whole):
        return f"{100 * part / whole:.3f} %" if whole else "none"

    late = [value / 1e6 for value in verdict.lateness]
    kinds = Counter(fault.kind for fault in case.faults)
    return [
        f"seconds          {(case.end - case.begin) / SECOND:.0f}, seed {case.seed}",
        f"faults           {sum(kinds.values()) - kinds['stall']}: "
        + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()) if kind != "stall")
        + f"; the machine stalled {kinds['stall']} times",
        f"targets          {verdict.targets}, of them in quiet times {verdict.calm_targets};"
        f" {verdict.jumped} more that the clock jumped over",
        f"runs             {verdict.runs}, {verdict.complete} complete",
        f"own run in time  {verdict.matched}; in quiet times {share(verdict.calm_matched, verdict.calm_targets)}",
        f"missed           {share(verdict.gone, verdict.targets)} (missed, lost or unknown, with a reason)",
        f"duplicate        {share(verdict.duplicates, verdict.runs)}",
        f"lateness         p50 {percentile(late, 50):.2f} ms, p99 {percentile(late, 99):.2f} ms,"
        f" max {max(late, default=0):.2f} ms, in quiet times",
        "outcomes     " + ", ".join(f"{count} {name}" for name, count in verdict.outcomes.most_common()),
        f"tolerated        {verdict.orphan_overlaps} runs beside one whose daemon had been killed;"
        f" {verdict.ledger_gaps} entries that a full disk or a damaged ledger left out",
    ]


def text_picture(case, width=100):
    """A lane for each job: `=` succeeded, `!` failed, `x` no end, `|` where a fault began."""
    scale = (case.end - case.begin) / width
    def column(when):
        return min(width - 1, max(0, int((when - case.begin) / scale)))

    names = list(dict.fromkeys(era.job.name for era in case.eras))
    margin = max(map(len, names), default=0)
    marks = [" "] * width
    for fault in case.faults:
        if fault.kind != "stall":
            marks[column(fault.begin)] = "|"
    lines = [" " * margin + " " + "".join(marks)]
    for name in names:
        lane = [" "] * width
        for run in case.attempts:
            if run.job == name:
                for place in range(column(run.began), column(run.ended or run.began) + 1):
                    lane[place] = LETTERS[run.outcome] if lane[place] in " =" else lane[place]
        lines.append(f"{name:>{margin}} " + "".join(lane).rstrip())
    return lines


def svg(case, verdict, path):
    """One lane for each job: runs as bars, targets as ticks above them, faults as bands, violations as red rings."""
    names = list(dict.fromkeys(era.job.name for era in case.eras))
    lanes = {name: index for index, name in enumerate(names)}
    left, high, pixels = 130, 26, 12
    width = left + int((case.end - case.begin) / SECOND * pixels) + 20
    height = 60 + high * len(names)

    def x(when):
        return f"{left + (when - case.begin) / SECOND * pixels:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>']
    for fault in case.faults:
        length = max(1.5, (fault.end - fault.begin) / SECOND * pixels)
        color = BANDS.get(fault.kind, "#af7ac5")
        parts.append(
            f'<rect x="{x(fault.begin)}" y="30" width="{length:.1f}" height="{height - 40}" fill="{color}" opacity="0.25">'
            f"<title>{escape(fault.kind + ' ' + fault.detail)}</title></rect>")
        if fault.kind != "stall":
            parts.append(f'<text x="{x(fault.begin)}" y="26" font-size="8" fill="{color}"'
                         f' transform="rotate(-20 {x(fault.begin)} 26)">{escape(fault.kind)}</text>')
    for name, lane in lanes.items():
        y = 40 + lane * high
        parts.append(f'<text x="6" y="{y + 12}">{escape(name)}</text>')
        parts.append(f'<line x1="{left}" y1="{y + 16}" x2="{width}" y2="{y + 16}" stroke="#d5d8dc"/>')
    for era in case.eras:
        if era.job.is_counted:
            continue
        y = 40 + lanes[era.job.name] * high
        for begin, end, offset in case.stretches(era.came[1], era.went[0] if era.went else case.end):
            for nominal in era.job.schedule.between(begin + offset, end + offset):
                place = x(nominal - offset)
                parts.append(f'<line x1="{place}" y1="{y}" x2="{place}" y2="{y + 4}" stroke="#34495e"/>')
    for run in case.attempts:
        if run.job in lanes:
            y = 40 + lanes[run.job] * high + 6
            length = max(1.5, ((run.ended or run.began) - run.began) / SECOND * pixels)
            words = f"{run.job} {run.nominal} attempt {run.number} pid {run.pid}: {run.outcome or 'no end'}"
            parts.append(f'<rect x="{x(run.began)}" y="{y}" width="{length:.1f}" height="9" fill="{COLOURS[run.outcome]}"'
                         f' opacity="0.8"><title>{escape(words)}</title></rect>')
    for kind, sentence, when in verdict.violations:
        if when is not None:
            name = sentence.split(" at ")[0].split(":")[0]
            y = 40 + lanes.get(name, 0) * high + 10
            parts.append(f'<circle cx="{x(when)}" cy="{y}" r="8" fill="none" stroke="red" stroke-width="2">'
                         f"<title>{escape(kind + ': ' + sentence)}</title></circle>")
    parts.append("</svg>")
    with open(path, "w") as file:
        file.write("\n".join(parts))


def print_report(case, verdict, path):
    """Everything for a terminal."""
    print("\n".join(text_picture(case)))
    print()
    print("\n".join(figures(case, verdict)))
    print(f"picture          {path}")
    shown = Counter()
    for kind, sentence, when in verdict.violations:
        shown[kind] += 1
        if shown[kind] <= 12:
            at = f" [{(when - case.begin) / SECOND:.2f} s]" if when is not None else ""
            print(f"VIOLATION {kind}{at}: {sentence}")
    for kind, count in shown.items():
        if count > 12:
            print(f"VIOLATION {kind}: {count - 12} more")
    print("violations       " + (", ".join(f"{count} {kind}" for kind, count in shown.items()) or "none"))
