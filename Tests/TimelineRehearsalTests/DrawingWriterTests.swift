import Foundation
import FoundationXML
import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

@Suite struct `A drawing in SVG and HTML` {
  /// A name that would be markup, and a character that XML forbids.
  private static let caption = DrawingCaption(
    title: "<b>\u{1}&\"'.toml", command: "timelinectl dry-run -c '<script>alert(1)</script>'")

  /// The drawing of a day of the jobs, which takes seconds to simulate; several tests share it.
  private static let day = built(jobs)

  private static func built(
    _ jobs: [JobDefinition], until: Int64 = 86_400, in shown: Zone = .utc
  ) -> (drawing: TimelineDrawing, summary: DryRunSummary, entries: DrawingEntries) {
    var dryRun = DryRun(jobs: jobs, from: t(0), until: t(until))
    var builder = DrawingBuilder(
      jobs: jobs.map { DrawingRow.Job(name: $0.name, zone: .utc) },
      scale: DrawingScale(from: t(0), until: t(until), columns: TimelineDrawing.columns), zone: shown)
    dryRun.run { builder.add($0) }
    return (builder.drawing, dryRun.summary, builder.entries)
  }

  private static let jobs = [
    job("backup", every(7_200), lasts: 3_000), job("report", every(1_800), lasts: 2_500),
    job("slow", every(21_600), lasts: 4_000) { $0.timeout = .seconds(3_600) }, job("tick", every(1)),
    job("twice", every(3_600), lasts: 5_000) { $0.overlap = .allowAll }, job("never", at()),
  ]

  @Test func `is well-formed XML, with each path, label and description`() throws {
    let made = Self.day
    let text = made.drawing.svg(Self.caption)
    let document = try XMLDocument(xmlString: text)
    let root = try #require(document.rootElement())
    #expect(root.name == "svg" && text.contains(" viewBox=\"0 0 1188 "))
    #expect(root.elements(forName: "title").first?.stringValue == "<b>\u{FFFD}&\"'.toml")
    let labels = try document.nodes(forXPath: "//*[@aria-label]/@aria-label").compactMap(\.stringValue)
    #expect(
      labels == [
        "active runs: average, up to 5.00",
        "backup: 12 runs; first run 1970-01-01 00:00:00 UTC",
        "report: 24 runs, 24 overlapped; first run 1970-01-01 00:00:00 UTC",
        "slow: 4 runs, 4 timed-out; first run 1970-01-01 00:00:00 UTC",
        "tick: 86,400 runs; first run 1970-01-01 00:00:00 UTC",
        "twice: 24 runs; first run 1970-01-01 00:00:00 UTC; runs overlap one another",
        "never: no entries",
      ])
    #expect(!text.contains("script>") && !text.contains("var("))
    #expect(text.contains("prefers-color-scheme:dark"))
  }

  @Test func `shows outcomes by shape as well as by color`() {
    let text = Self.day.drawing.svg(Self.caption)
    for shape in ["mark failure", "mark miss", "class=\"success\""] {
      #expect(text.contains(shape), "\(shape)")
    }
    for words in ["timed-out", "overlapped", "a run", "many short runs"] {
      #expect(text.contains(">\(words)</text>"), "\(words)")
    }
    #expect(!text.contains(">waiting</text>"), "the legend has what the drawing has")
  }

  @Test(arguments: [
    ("text", 4.5), (".tick,.note,text.gap", 4.5), ("text.change", 4.5), (".success", 3), (".failure", 3),
    (".cancellation", 3), (".miss", 3), (".omission", 3), (".load", 3),
  ])
  func `stands out from the paper, light and dark`(selector: String, least: Double) throws {
    let text = Self.day.drawing.svg(Self.caption)
    let schemes = text.components(separatedBy: "@media screen and (prefers-color-scheme:dark)")
    #expect(schemes.count == 2)
    for scheme in schemes {
      let paper = try #require(Self.fill(of: ".paper", in: scheme))
      let color = try #require(Self.fill(of: selector, in: scheme))
      #expect((max(paper, color) + 0.05) / (min(paper, color) + 0.05) >= least)
    }
  }

  /// The relative luminance (WCAG) of the color with which a selector fills.
  private static func fill(of selector: String, in text: String) -> Double? {
    let parts = text.components(separatedBy: CharacterSet(charactersIn: "\n}"))
    guard let rule = parts.first(where: { $0.hasPrefix("\(selector){fill:#") }),
      let number = Int(rule.suffix(6), radix: 16)
    else { return nil }
    let channels = [number >> 16, number >> 8 & 255, number & 255].map { value in
      let part = Double(value) / 255
      return part <= 0.039_28 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
  }

  @Test func `is deterministic, and its length depends only on its columns`() {
    let text = Self.day.drawing.svg(Self.caption)
    #expect(text == Self.built(Self.jobs).drawing.svg(Self.caption))
    #expect(text.utf8.count < 40_000)
  }

  @Test func `is a page that runs no script and loads no other file`() throws {
    let made = Self.day
    let text = made.drawing.html(Self.caption, made.summary, made.entries)
    #expect(text.hasPrefix("<!DOCTYPE html>"))
    #expect(text.contains("content=\"default-src 'none'; style-src 'unsafe-inline';"))
    for forbidden in ["<script", "<link", "<img", "http:", "https:", "style=\"", "onload", "url("] {
      #expect(!text.contains(forbidden), "\(forbidden)")
    }
    #expect(text.contains("<code>timelinectl dry-run -c &#39;&lt;script&gt;"))
  }

  @Test func `has a table of all totals, and of the first entries`() {
    let made = Self.day
    let text = made.drawing.html(Self.caption, made.summary, made.entries)
    #expect(
      text.contains(
        "<th scope=\"row\">report</th><td class=\"number\">48</td><td class=\"number\">24</td><td class=\"number\">–</td>"
          + "<td class=\"number\">24</td><td class=\"number\">1</td></tr>"))
    #expect(
      text.contains(
        "<tr><td>1970-01-01 00:00:00 UTC</td><td>backup</td><td>1970-01-01 00:00:00 UTC</td>"
          + "<td>1970-01-01 00:50:00 UTC</td><td class=\"number\">50m</td>"))
    let total = made.summary.entries
    #expect(total == 86_400 + 12 + 48 + 4 + 24)
    #expect(text.contains("<p>86,234 more rows are left out (limit: 166 of each job);"))
  }

  @Test func `marks clock changes in words too`() throws {
    let berlin = try zone("Europe/Berlin")
    let from = try WallInstant(rfc3339: "2027-03-27T00:00:00Z")
    var builder = DrawingBuilder(
      jobs: [
        DrawingRow.Job(name: name("here"), zone: berlin), DrawingRow.Job(name: name("utc"), zone: .utc),
      ],
      scale: DrawingScale(from: from, until: from + .days(3), columns: 900), zone: berlin)
    builder.add(
      .entry(DryRunEntry(job: 0, entry: from, start: from, end: from + .hours(2), outcome: .succeeded)))
    let jobs = [job("here", at()), job("utc", at())]
    let summary = DryRun(jobs: jobs, from: from, until: from + .days(3)).summary
    let drawing = builder.drawing
    let change = "CET → CEST, +1h"
    #expect(drawing.svg(Self.caption).contains("clock change: \(change)</text>"))
    #expect(
      drawing.html(Self.caption, summary, builder.entries)
        .contains("<p>Clock change at 2027-03-28 03:00:00 CEST: \(change).</p>"))
    #expect(drawing.rows.map(\.clockChanges.count) == [0, 0])
  }
}
