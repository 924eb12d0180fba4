import Testing
import TimelineCore
import TimelineEngineTestSupport
import TimelineTestSupport

@testable import TimelineEngine

@Suite struct `An incident` {
  /// A policy, the events (`f` a failure, `s` a success, `w` nothing, each with its second), and the reports.
  struct Row: Sendable, CustomTestStringConvertible {
    let policy: IncidentPolicy
    let events: String
    let told: [String]

    init(_ policy: IncidentPolicy, _ events: String, _ told: String...) {
      (self.policy, self.events, self.told) = (policy, events, told)
    }

    var testDescription: String { "\(policy): \(events)" }
  }

  private static let third = IncidentPolicy(after: 3)
  private static let rate = IncidentPolicy(after: 3, within: .seconds(60))
  private static let reminded = IncidentPolicy(after: 2, remind: .seconds(100))

  static let rows = [
    Row(
      IncidentPolicy(), "s0 f1 f2 s3 s4 f5", "1 opened 1 since 1", "3 recovered 2 since 1",
      "5 opened 1 since 5"),
    Row(third, "f1 f2 s3 f4 f5 s6"),
    Row(third, "f1 f2 f3 f4 s5 s6", "3 opened 3 since 1", "5 recovered 4 since 1"),
    Row(third, "f1 s2 f3 f4 f5", "5 opened 3 since 3"),
    // By rate, successes in between do not matter, and failures before the window do not count.
    Row(rate, "f0 s10 f20 s30 f60", "60 opened 3 since 0"),
    Row(rate, "f0 f20 f61"),
    Row(rate, "f0 f20 f61 f62", "62 opened 3 since 20"),
    Row(rate, "f0 f20 f40 s50 f60 s80 s101 f102 f103", "40 opened 3 since 0", "101 recovered 4 since 0"),
    Row(rate, "f0 s61 f62 f63 f64", "64 opened 3 since 62"),
    Row(
      reminded, "f0 f10 w50 f60 w210 s215 w400", "10 opened 2 since 0", "110 reminder 3 since 0",
      "210 reminder 3 since 0", "215 recovered 3 since 0"),
    Row(reminded, "f0 w500 s501"),
    Row(
      IncidentPolicy(remind: .seconds(10)), "f0 f10 s20 w90", "0 opened 1 since 0", "10 reminder 2 since 0",
      "20 recovered 2 since 0"),
    // A record of several entries counts as many times.
    Row(third, "f5*20 s6", "5 opened 20 since 5", "6 recovered 20 since 5"),
    Row(rate, "f5*20 s70", "5 opened 20 since 5", "70 recovered 20 since 5"),
  ]

  @Test(arguments: rows) func `is reported when it opens, while it lasts and when it ends`(_ row: Row) {
    var course = Course(policy: row.policy)
    for event in row.events.split(separator: " ") {
      let parts = event.dropFirst().split(separator: "*").compactMap { Int64($0) }
      course.take(event.first ?? "?", at: parts[0], count: parts.count > 1 ? Int(parts[1]) : 1)
    }
    #expect(course.told == row.told)
  }

  @Test func `is reported as by a model that reads the whole history`() {
    for seed in 1...2_000 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let hasWindow = Bool.random(using: &random)
      let policy = IncidentPolicy(
        after: Int.random(in: 1...4, using: &random),
        within: hasWindow ? .seconds(Int64.random(in: 1...60, using: &random)) : nil,
        remind: Bool.random(using: &random) ? .seconds(Int64.random(in: 1...40, using: &random)) : nil)
      var (course, model, second) = (Course(policy: policy), NaiveIncidents(policy: policy), Int64(0))
      for _ in 0..<40 {
        second += Int64.random(in: 1...20, using: &random)
        let kind: Character = Int.random(in: 0..<5, using: &random) < 3 ? "f" : "s"
        course.take(kind, at: second)
        model.take(kind, at: second)
      }
      #expect(course.told == model.told, "seed \(seed), \(policy)")
    }
  }
}

/// The incident of one policy, with reminders at their instants.
private struct Course {
  let policy: IncidentPolicy
  private var incident: Incident?
  private(set) var told: [String] = []

  init(policy: IncidentPolicy) { self.policy = policy }

  mutating func take(_ kind: Character, at second: Int64, count: Int = 1) {
    // At one instant the event comes before the reminder.
    while let due = policy.reminder(of: incident), due < t(second) { remind(at: due) }
    let record = EntryRecord(
      entry: EntryKey(job: name("a"), nominal: t(second)), outcome: .failed, endedAt: t(second),
      entryCount: count)
    switch kind {
    case "f": tell(policy.fail(&incident, record), incident, at: t(second))
    case "s":
      let ended = policy.succeed(&incident, at: t(second))
      tell(ended == nil ? nil : .recovered, ended, at: t(second))
    default: break
    }
    if let due = policy.reminder(of: incident), due <= t(second) { remind(at: due) }
  }

  private mutating func remind(at instant: WallInstant) {
    tell(policy.remind(&incident, at: instant), incident, at: instant)
  }

  private mutating func tell(_ phase: IncidentReport.Phase?, _ incident: Incident?, at instant: WallInstant) {
    guard let phase, let incident else { return }
    let seconds = { (instant: WallInstant) in instant.nanosecondsSinceEpoch / 1_000_000_000 }
    told.append("\(seconds(instant)) \(phase.rawValue) \(incident.count) since \(seconds(incident.since))")
  }
}

/// The same from the whole history, which is searched again for each second.
private struct NaiveIncidents {
  let policy: IncidentPolicy
  private var history: [(kind: Character, second: Int64)] = []
  private var closedThrough: Int64 = -1
  private var openSince: (told: Int64, first: Int64)?
  private(set) var told: [String] = []
  private var now: Int64 = 0

  init(policy: IncidentPolicy) { self.policy = policy }

  mutating func take(_ kind: Character, at second: Int64) {
    while now < second {
      now += 1
      if now == second {
        history.append((kind, second))
        if kind == "f" { fail() } else { succeed() }
      }
      guard let open = openSince, let remind = policy.remind else { continue }
      let length = remind.nanoseconds / 1_000_000_000
      if now > open.told, (now - open.told) % length == 0 { tell("reminder", since: open.first) }
    }
  }

  /// Failures that count towards an incident.
  private var counted: [Int64] {
    let since = history.last { $0.kind == "s" }?.second ?? -1
    return history.filter { event in
      guard event.kind == "f", event.second > closedThrough else { return false }
      guard let within = policy.within else { return event.second > since }
      return event.second >= now - within.nanoseconds / 1_000_000_000
    }.map(\.second)
  }

  private mutating func fail() {
    guard openSince == nil, counted.count >= policy.after else { return }
    openSince = (now, counted[0])
    tell("opened", since: counted[0])
  }

  private mutating func succeed() {
    guard let open = openSince, policy.within == nil || counted.count < policy.after else { return }
    tell("recovered", since: open.first)
    (openSince, closedThrough) = (nil, now)
  }

  private mutating func tell(_ phase: String, since first: Int64) {
    let count = history.count { $0.kind == "f" && $0.second >= first }
    told.append("\(now) \(phase) \(count) since \(first)")
  }
}
