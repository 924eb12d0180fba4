import Testing
import TimelineClocks
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal
import TimelineTerminal

@Suite struct `Keys of a rehearsal` {
  /// Keys at seconds of the base clock, and the time that the now-line shows then.
  struct Move: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [Step]
    let now: Int64

    init(_ title: String, _ steps: [Step], _ now: Int64) {
      testDescription = title
      self.steps = steps
      self.now = now
    }
  }

  /// Keys at a second of the base clock.
  struct Step: Sendable {
    let second: Int64
    let keys: String

    init(_ second: Int64, _ keys: String = "") {
      self.second = second
      self.keys = keys
    }
  }

  static let moves: [Move] = [
    Move("plays at its pace", [Step(0), Step(10)], 600),
    Move("space pauses", [Step(10, " "), Step(50)], 600),
    Move("space plays again", [Step(10, " "), Step(50, " "), Step(60)], 1_200),
    Move("+ is faster", [Step(0, "+"), Step(10)], 3_000),
    Move("- is slower", [Step(0, "-"), Step(10)], 300),
    Move("slower than 1x there is none", [Step(0, "----------"), Step(10)], 10),
    Move("a paused clock changes its speed and stands", [Step(10, " "), Step(20, "+"), Step(30)], 600),
    Move("n steps to the next entry", [Step(1, " n")], 120),
    Move("n twice", [Step(0, " nn")], 120),
    Move("n goes on playing", [Step(0, "n"), Step(10)], 660),
    Move("g goes ahead", [Step(0, " g1970-01-01T05:00:00Z{enter}")], 18_000),
    Move("g with a time of day is the next one", [Step(0, " g02:00{enter}")], 7_200),
    Move("g in some time", [Step(0, " gin 90m{enter}")], 5_400),
    Move("g back within what is known", [Step(100, " g1970-01-01T00:30:00Z{enter}")], 1_800),
    Move("g before the begin begins anew", [Step(0, " g1969-12-31T20:00:00Z{enter}")], -14_400),
    Move("g and Esc stays", [Step(10, " g05:00{esc}")], 600),
    Move("g with nonsense stays", [Step(10, " gsoon{enter}")], 600),
  ]

  @Test(arguments: moves)
  func movesTime(_ move: Move) {
    // Without the counted job, whose entries are less than a second apart.
    var view = rehearsal(Array(sample.dropLast()))
    for step in move.steps {
      view.tick(to: step.second)
      for key in keys(step.keys) {
        _ = view.handle(.key(key), at: t(step.second))
        view.tick(to: step.second)
      }
    }
    #expect(view.now == t(move.now))
    #expect(view.destination == nil)
  }

  @Test func theLadderOfSpeedsEndsWithMax() {
    var view = rehearsal(pace: .speed(1))
    var texts = [view.playhead.speedText]
    for _ in 0..<13 {
      view.type("+")
      texts.append(view.playhead.speedText)
    }
    #expect(
      texts == [
        "1x", "2x", "5x", "10x", "30x", "60x", "300x", "600x", "1800x", "3600x", "21600x", "86400x", "max",
        "max",
      ])
    view.type("-")
    #expect(view.playhead.speedText == "86400x")
  }

  @Test func atMaxATickPassesAWindowAtMost() {
    var view = rehearsal(Array(sample.dropLast()), pace: .max)
    let length = view.window.length
    let before = view.now
    view.tick(to: 1)
    #expect(view.now > before)
    #expect(view.now - before <= length * 101)
  }

  /// A window may be shorter than the time that passes between two pictures at the highest speed.
  @Test func maxIsNoSlowerThanTheHighestSpeed() {
    var view = rehearsal(Array(sample.dropLast()), pace: .max)
    view.type("iiiiii")
    let before = view.now
    _ = view.handle(.tick, at: t(1))
    #expect(view.now - before == .seconds(8_640))
  }

  @Test func aKeyStopsOnTheWayToAMoment() {
    var view = rehearsal()
    view.type(" g1970-03-01T00:00:00Z{enter}")
    let detail = view.screen()[22]
    view.type("0")
    #expect(view.destination == nil)
    #expect(view.now > t(0))
    #expect(detail.contains("at \(view.now.text(in: .utc).prefix(19))"), "\(detail)")
  }

  /// 200 entries per second: 500 s of entries are kept.
  @Test func aWindowAheadKeepsTheEntriesBeforeIt() {
    let jobs = (0..<200).map { job("job-\($0)", every(1)) }
    var view = rehearsal(jobs)
    view.type(" oo")
    view.tick()
    view.type(">>>>")
    view.tick()
    view.type("0")
    #expect(view.now == t(0))
    #expect(view.entries(of: 0).prefix(3).map(\.entry) == [t(0), t(1), t(2)])
  }

  /// Keys, and the first line of help that a low screen then shows.
  @Test(arguments: [
    ("?", "space"), ("?{down}", "+ -"), ("?{down}{up}", "space"), ("?{pagedown}", "/"),
    ("? {pageup}", "space"),
    ("?{up}", "space"), ("?        ", "Esc"), ("?        {esc}?", "space"),
  ])
  func scrollsHelp(_ text: String, _ key: String) {
    var view = rehearsal(width: 40, height: 12)
    view.type(text)
    #expect(view.screen()[2].hasPrefix("  \(key) "), "\(view.screen()[2])")
    #expect(view.screen()[1].contains("more lines") == (key != "Esc"))
  }

  @Test func aPanelWithAllOfItsLinesLeavesKeysTheirMeaning() {
    var view = rehearsal()
    view.type("{right}{enter}{down}")
    #expect(view.panel == nil)
    #expect(view.selectedJob == 1)
  }

  /// Keys, and the names of the rows that are then shown.
  @Test(arguments: [
    ("/imp{enter}", ["import"]),
    ("/imp mail{enter}", ["import", "mail"]),
    ("/-heart -samp{enter}", ["backup", "import", "rebuild", "mail"]),
    ("/IMP{enter}", ["import"]),
    ("/imp{back}{back}{back}{enter}", ["backup", "import", "rebuild", "heartbeat", "mail", "sampler"]),
    ("/nothing{enter}", []),
    ("/imp{enter}{esc}", ["backup", "import", "rebuild", "heartbeat", "mail", "sampler"]),
  ])
  func filters(_ text: String, _ names: [String]) {
    var view = rehearsal()
    view.type(text)
    #expect(view.shownJobs.map { view.jobs[$0].name.text } == names)
  }

  /// Keys, and the selected job and entry.
  @Test(arguments: [
    ("{down}{down}", "rebuild", nil),
    ("{end}", "sampler", nil),
    ("{end}{pageup}", "backup", nil),
    ("{up}", "backup", nil),
    ("{right}", "backup", 600),
    ("{right}{right}", "backup", 4_200),
    ("{right}{right}{left}", "backup", 600),
    ("{right}{down}", "import", nil),
    ("{down}{left}", "import", 0),
    ("{right}0", "backup", nil),
    ("/mail{enter}{right}", "mail", 300),
    ("{right}/backup{enter}", "backup", 600),
    ("{right}/mail{enter}", "mail", nil),
  ])
  func selects(_ text: String, _ job: String, _ entry: Int64?) {
    var view = rehearsal()
    view.type(text)
    #expect(view.selectedJob.map { view.jobs[$0].name.text } == job)
    #expect(view.selectedEntry?.entry == entry.map(t))
  }

  /// Unknown keys leave a rehearsal unchanged and show a message.
  @Test(arguments: ["t", "s", "c", "l", "w", "z", "!"])
  func unknownKeysSaySo(_ key: String) {
    var view = rehearsal()
    #expect(view.type(key).isEmpty)
    #expect(view.message != nil)
    #expect(view.prompt == nil)
  }

  @Test func qQuitsAndClosesAPanelFirst() {
    var view = rehearsal()
    #expect(view.type("?q").isEmpty)
    #expect(view.type("q") == [.quit])
  }

  @Test func aSelectedRowStaysOnTheScreen() {
    let jobs = (0..<50).map { job("job-\($0)", every(3_600)) }
    var view = rehearsal(jobs, height: 12)
    view.type("{end}")
    #expect(view.screen().contains { $0.hasPrefix("▸ job-49") })
    _ = view.handle(.resized(ScreenSize(width: 80, height: 8)), at: t(0))
    #expect(view.screen().contains { $0.hasPrefix("▸ job-49") })
    view.type(String(repeating: "{pageup}", count: 50))
    #expect(view.screen().contains { $0.hasPrefix("▸ job-0") })
  }
}
