import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

/// Time drawn as text: a line for each job, a column for each second.
///
/// A run is a capital letter for its outcome (Succeeded, Failed, Timed out, Cancelled, Lost, Unknown) and a dash for
/// each further second it lasted. An entry that did not run is a small letter in the column of its instant:
/// overlapped, missed, d for shut-down, p for superseded, z for paused, k for left-to-cron, limited, excluded, g for dst-gap, r for dst-fold, f for
/// low-frequency; a dot is a second without anything.
struct Picture: CustomStringConvertible {
  private var records: [EntryRecord] = []
  private let names: [JobName]
  private let seconds: Int
  private(set) var effects: [EngineEffect] = []

  /// Draws the entries of `jobs` from 0 until `seconds` in `world`.
  init(
    of jobs: [JobDefinition], groups: [GroupName: Int] = [:], seconds: Int, mode: ScheduleMode = .normal,
    watermarks: [JobName: WallInstant] = [:],
    in world: ScriptedWorld = ScriptedWorld()
  ) {
    self.names = jobs.map(\.name)
    self.seconds = seconds
    let engine = EngineState(
      jobs: jobs, groups: groups, startedAt: .epoch, watermarks: watermarks, mode: mode,
      horizon: t(Int64(seconds)))
    var simulation = Simulation(of: engine, from: .epoch, in: world)
    var effects: [EngineEffect] = []
    simulation.run { effects.append($0) }
    self.effects = effects
    self.records = effects.settled
  }

  var description: String {
    let width = names.map(\.text.utf8.count).max() ?? 0
    return names.map { name in
      let padding = String(repeating: " ", count: width - name.text.utf8.count)
      return name.text + padding + " " + line(name)
    }.joined(separator: "\n")
  }

  private func line(_ name: JobName) -> String {
    var columns = [Character](repeating: ".", count: seconds)
    let own = records.filter { $0.entry.job == name }
    for record in own {
      guard let start = record.startedAt else { continue }
      let (first, last) = (column(start), column(record.endedAt))
      if columns.indices.contains(first) { columns[first] = letter(record.outcome) }
      for column in (first + 1)..<max(first + 1, last) where columns.indices.contains(column) {
        columns[column] = "-"
      }
    }
    for record in own where record.startedAt == nil {
      let column = column(record.entry.nominal)
      if columns.indices.contains(column) { columns[column] = letter(record.outcome) }
    }
    return String(columns)
  }

  private func column(_ instant: WallInstant) -> Int {
    Int(instant.nanosecondsSinceEpoch / 1_000_000_000)
  }

  private func letter(_ outcome: Outcome) -> Character {
    switch outcome {
    case .succeeded: "S"
    case .failed: "F"
    case .timedOut: "T"
    case .cancelled: "C"
    case .lost: "L"
    case .unknown: "U"
    case .overlapped: "o"
    case .missed: "m"
    case .shutDown: "d"
    case .superseded: "p"
    case .limited: "l"
    case .paused: "z"
    case .leftToCron: "k"
    case .excluded: "x"
    case .daylightSavingGap: "g"
    case .daylightSavingFold: "r"
    case .lowFrequency: "f"
    }
  }
}

/// A scripted world: the courses of attempts in the order of their starts, and events in between.
struct ScriptedWorld: SimulatedWorld {
  /// Courses of the attempts in order. Further attempts last as expected and succeed.
  var courses: [SimulatedCourse] = []
  /// Time for which attempts go on after a stop request; `nil` if they ignore it.
  var obedience: ElapsedTime? = .zero
  /// Events in between, by elapsed second.
  var script: [(second: Int64, what: SimulatedInterruption)] = []

  private var next = 0

  init(
    courses: [SimulatedCourse] = [], obedience: ElapsedTime? = .zero,
    script: [(second: Int64, what: SimulatedInterruption)] = []
  ) {
    self.courses = courses
    self.obedience = obedience
    self.script = script
  }

  mutating func course(of attempt: @autoclosure () -> Attempt, expected: ElapsedTime) -> SimulatedCourse {
    courses.isEmpty ? SimulatedCourse(lasting: expected) : courses.removeFirst()
  }

  mutating func delayAfterAsking(_ run: RunID, _ reason: StopReason) -> ElapsedTime? { obedience }

  mutating func nextInterruption() -> (at: WallInstant, what: SimulatedInterruption)? {
    guard next < script.count else { return nil }
    defer { next += 1 }
    return (t(script[next].second), script[next].what)
  }
}
