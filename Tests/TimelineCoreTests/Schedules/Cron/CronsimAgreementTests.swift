import Foundation
import Testing
import TimelineCore
import TimelineTestSupport

/// Cron rules in five fields against Python's cronsim, which mimics Debian's cron in every zone.
///
/// TIMELINED_CRONSIM names a Python with cronsim; without it the machine's Python is used if it has cronsim. Excluded
/// are ranges of one number with a step, `3-3/5`, which cronsim 2.8 reads as `3/5`, and crontab(5) as 3; and rules
/// around a change by half an hour, as cronsim steps over the half hour after it. A rule that can never match, which
/// timelined refuses, has no entries in cronsim or is refused there too.
@Suite struct `Fuzzed cron rules agree with cronsim` {
  static let python = ProcessInfo.processInfo.environment["TIMELINED_CRONSIM"] ?? "/usr/bin/python3"
  static let seed: UInt64 = 0xC5_1141
  static let entryCount = 5

  static let script = """
    import sys
    from datetime import datetime, timezone
    from zoneinfo import ZoneInfo
    from cronsim import CronSim
    for line in sys.stdin:
        zone, start, rule = line.rstrip("\\n").split("\\t")
        found = []
        try:
            entries = CronSim(rule, datetime.fromtimestamp(int(start), timezone.utc).astimezone(ZoneInfo(zone)))
            for _ in range(\(entryCount)):
                found.append(int(next(entries).timestamp()))
        except StopIteration:
            pass
        except Exception:
            found = ["refused"]
        print(*found)
    """

  static func run(_ arguments: [String], input: String) -> String? {
    output(of: python, arguments, input: input)
  }

  static let isInstalled = run(["-c", "import cronsim"], input: "") != nil

  /// A rule with fields that both support.
  static func rule(using generator: inout SeededGenerator) -> String {
    let rule = RandomCronRule(using: &generator)
    var (day, weekday) = (rule.day.text, rule.weekday.text)
    switch Int.random(in: 0..<16, using: &generator) {
    case 0: day = "L"
    case 1: day = "LW"
    case 2: weekday = "\(Int.random(in: 0...7, using: &generator))L"
    case 3:
      weekday = "\(Int.random(in: 0...6, using: &generator))#\(Int.random(in: 1...5, using: &generator))"
    case 4: weekday = "mon-fri"
    default: break
    }
    return "\(rule.minute.text) \(rule.hour.text) \(day) \(rule.month.text) \(weekday)"
  }

  static func hasStepOfOneNumber(_ rule: String) -> Bool {
    rule.split { " ,".contains($0) }.contains { element in
      let parts = element.split { "-/".contains($0) }
      return parts.count == 3 && parts[0] == parts[1]
    }
  }

  /// Whether a clock change other than by whole hours lies before the last of the entries.
  static func isMoved(_ zone: Zone, from start: WallInstant, to last: WallInstant) -> Bool {
    var instant = start - .days(1)
    while let change = zone.nextTransition(after: instant), change <= last {
      let before = zone.offset(at: change - .nanoseconds(1))
      if (zone.offset(at: change) - before) % 3_600 != 0 { return true }
      instant = change
    }
    return false
  }

  struct Question {
    let zone: Zone
    let start: Int64
    let rule: String
  }

  static func question(_ zones: [Zone], using generator: inout SeededGenerator) -> Question {
    let zone = zones[Int.random(in: 0..<zones.count, using: &generator)]
    var start = Int64.random(in: 946_684_800...2_082_758_400, using: &generator)
    // Every second search begins within two days of a change.
    if Bool.random(using: &generator), let change = zone.nextTransition(after: second(start)) {
      start = change.seconds - Int64.random(in: 0...172_800, using: &generator)
    }
    var rule = rule(using: &generator)
    while hasStepOfOneNumber(rule) { rule = Self.rule(using: &generator) }
    return Question(zone: zone, start: start, rule: rule)
  }

  @Test(.enabled(if: isInstalled)) func `the first entries agree with cronsim in every zone`() throws {
    let caseCount =
      ProcessInfo.processInfo.environment["TIMELINED_FUZZ_CASES"].flatMap { Int($0) } ?? 1_000
    var generator = SeededGenerator(seed: Self.seed)
    let zones = try ZoneFiles.odd.map(ZoneFiles.zone)
    var (agreeingCount, entryCount) = (0, 0)
    for first in stride(from: 0, to: caseCount, by: 400) {
      let questions = (first..<min(first + 400, caseCount)).map { _ in
        Self.question(zones, using: &generator)
      }
      let input = questions.map { "\($0.zone.name)\t\($0.start)\t\($0.rule)\n" }.joined()
      let answers = try #require(Self.run(["-c", Self.script], input: input))
        .split(separator: "\n", omittingEmptySubsequences: false)
      for (question, answer) in zip(questions, answers) {
        var found: [WallInstant] = []
        var isRefused = true
        if let expression = try? CronExpression(parsing: question.rule) {
          isRefused = false
          let schedule = CronSchedule(expression: expression, zone: question.zone)
          var instant = second(question.start)
          while found.count < Self.entryCount, let next = schedule.next(after: instant) {
            found.append(next)
            instant = next
          }
        }
        if let last = found.last, Self.isMoved(question.zone, from: second(question.start), to: last) {
          continue
        }
        let text = found.map { "\($0.seconds)" }.joined(separator: " ")
        let isSame = isRefused ? answer.isEmpty || answer == "refused" : text == answer
        #expect(isSame, "\(question): \(text) and not \(answer), seed \(Self.seed)")
        if isSame { (agreeingCount, entryCount) = (agreeingCount + 1, entryCount + found.count) }
      }
    }
    print("\(agreeingCount) rules and \(entryCount) entries as cronsim has them")
    #expect(agreeingCount > caseCount * 9 / 10)
  }
}
