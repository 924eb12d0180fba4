"""chart.py: draws growth as an SVG: panels with logarithmic axes, lines named at their ends, for light pages and dark ones."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, COLUMNS = 560, 360, 2
LEFT, RIGHT, TOP, BOTTOM = 66, 150, 44, 48
COLOURS = ["#2f7de1", "#e0812a", "#2aa876", "#b05bd6", "#d64550", "#8a8f98"]
STYLE = """
  svg { font: 12px system-ui, 'DejaVu Sans', sans-serif }
  .page { fill: #ffffff } text { fill: #1c2330 } .faint { fill: #5c6675 } .grid { stroke: #e3e7ec } .axis { stroke: #8a93a0 }
  .title { font-size: 14px; font-weight: 600 } path { fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #14181d } text { fill: #dfe5ec } .faint { fill: #98a3b0 } .grid { stroke: #2a313a } .axis { stroke: #6b7683 }
  }"""


def draw(path, panels):
    """Writes the panels, each {"title", "x", "y", "lines": name -> [(x, y), ...]}, all values positive."""
    rows = math.ceil(len(panels) / COLUMNS)
    width, height = WIDTH * min(COLUMNS, len(panels)), HEIGHT * rows
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
             f"<style>{STYLE}\n</style>", f'<rect class="page" width="{width}" height="{height}"/>']
    for number, panel in enumerate(panels):
        parts.append(f'<g transform="translate({number % COLUMNS * WIDTH} {number // COLUMNS * HEIGHT})">')
        parts.extend(draw_panel(panel))
        parts.append("</g>")
    path.write_text("\n".join([*parts, "</svg>"]) + "\n")


def draw_panel(panel):
    points = [point for line in panel["lines"].values() for point in line]
    across, down = Axis([x for x, _ in points], LEFT, WIDTH - RIGHT), Axis([y for _, y in points], HEIGHT - BOTTOM, TOP)
    yield f'<text class="title" x="{LEFT}" y="22">{escape(panel["title"])}</text>'
    for value in across.marks:
        x = across.place(value)
        yield f'<line class="grid" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}"/>'
        yield f'<text class="faint" x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{short(value)}</text>'
    for value in down.marks:
        y = down.place(value)
        yield f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>'
        yield f'<text class="faint" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{short(value)}</text>'
    yield f'<path class="axis" style="stroke-width: 1" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>'
    yield f'<text class="faint" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(panel["x"])}</text>'
    yield f'<text class="faint" x="{LEFT - 46}" y="{TOP - 8}">{escape(panel["y"])}</text>'
    ends = []
    for color, (name, line) in zip(COLOURS, panel["lines"].items()):
        places = [(across.place(x), down.place(y)) for x, y in line]
        yield f'<path stroke="{color}" d="M' + "L".join(f"{x:.1f} {y:.1f}" for x, y in places) + '"/>'
        for x, y in places:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>'
        ends.append((places[-1][1], places[-1][0], f"{name}: {short(line[-1][1])}", color))
    # Names stand at the ends of their lines, moved apart where they would meet.
    floor = TOP - 15
    for y, x, text, color in sorted(ends):
        floor = max(y + 4, floor + 15)
        yield f'<text x="{x + 9:.1f}" y="{floor:.1f}" style="fill: {color}">{escape(text)}</text>'


class Axis:
    """Logarithms of a stretch that begins and ends at a round value, onto a stretch of the drawing."""

    def __init__(self, values, begin, end):
        low, high = min(values), max(values)
        steps = [1, 2, 5] if high / low < 300 else [1]
        rounds = [step * 10.0 ** power for power in range(-9, 13) for step in steps]
        self.low = max(value for value in rounds if value <= low * 1.0001)
        self.high = min(value for value in rounds if value >= high * 0.9999 and value > self.low)
        self.marks = [value for value in rounds if self.low <= value <= self.high]
        self.begin, self.end = begin, end

    def place(self, value):
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.begin + share * (self.end - self.begin)


def short(value):
    """Three figures at most: 0.05, 12, 1.3k, 2M."""
    for limit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.3g}{letter}"
    return f"{value:.3g}"
