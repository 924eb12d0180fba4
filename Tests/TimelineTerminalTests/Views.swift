import TimelineClocks
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal
import TimelineTerminal

// Short ways to write views in tests. Times are seconds since the epoch; the base clock begins at 0.

/// Jobs of each kind: long runs, overlaps, a timeout, short ones, and one that is counted.
let sample: [JobDefinition] = [
  job("backup", every(3_600, from: 600), lasts: 1_500),
  job("import", every(1_200), lasts: 1_700),
  job("rebuild", every(7_200, from: 1_800), lasts: 3_000) { $0.timeout = .seconds(1_800) },
  job("heartbeat", every(60)),
  job("mail", every(900, from: 300), lasts: 30),
  job("sampler", every(.milliseconds(500))),
]

/// A rehearsal of jobs that begins at `from`.
func rehearsal(
  _ jobs: [JobDefinition] = sample, from: Int64 = 0, pace: Pace? = .speed(60), width: Int = 80,
  height: Int = 24
) -> TerminalView {
  TerminalView(
    title: "sample.toml", plan: SimulationPlan(jobs: jobs), zones: jobs.map { _ in .utc }, zone: .utc,
    from: t(from), base: .epoch, pace: pace, size: ScreenSize(width: width, height: height))
}

/// Keys as one types them: characters, and names in angle brackets.
func keys(_ text: String) -> [ViewKey] {
  let names: [String: ViewKey] = [
    "up": .up, "down": .down, "left": .left, "right": .right, "pageup": .pageUp, "pagedown": .pageDown,
    "home": .home, "end": .end, "enter": .enter, "esc": .escape, "back": .backspace,
  ]
  var keys: [ViewKey] = []
  var rest = text[...]
  while let first = rest.first {
    if first == "{", let end = rest.firstIndex(of: "}"),
      let key = names[String(rest[rest.index(after: rest.startIndex)..<end])]
    {
      keys.append(key)
      rest = rest[rest.index(after: end)...]
    } else {
      keys.append(.character(first))
      rest = rest.dropFirst()
    }
  }
  return keys
}

extension TerminalView {
  /// Types keys while the base clock stands at `second`, and returns what is asked for.
  @discardableResult
  mutating func type(_ text: String, at second: Int64 = 0) -> [ViewRequest] {
    keys(text).flatMap { handle(.key($0), at: t(second)) }
  }

  /// Lets the base clock go on to `second`, and simulates until nothing is left to do.
  mutating func tick(to second: Int64 = 0) {
    _ = handle(.tick, at: t(second))
    // Each portion is 10,000 instants: no test needs more than a hundred of them.
    for _ in 0..<100 where isBusy { _ = handle(.tick, at: t(second)) }
  }

  /// Shows entries as all that a daemon has reported.
  mutating func show(_ reports: [ReportedEntry], lanes: [JobName: [ReportedPast.Lane]] = [:]) {
    var list = EntryList(jobCount: jobs.count)
    let places = Dictionary(uniqueKeysWithValues: jobs.indices.map { (jobs[$0].name, $0) })
    for report in reports {
      if let place = places[report.job] { list.add(report.entry, of: place) }
    }
    var past = ReportedPast(entries: list, places: places, known: KnownStretch(from: .min))
    past.lanes = lanes
    _ = handle(.past(past), at: .epoch)
  }

  /// The screen as text.
  func screen(unicode: Bool = true) -> [String] {
    TerminalPicture.draw(self, TerminalCapabilities(hasColor: false, hasUnicode: unicode)).text
  }
}
