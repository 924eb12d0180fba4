import TimelineConfiguration
import TimelineCore
import TimelineImport
import TimelineSystem

/// Compares the instants of an imported rule with those of the job that was made from it. For a timer, systemd
/// computes the rule's instants, for an event libical.
struct ImportProver {
  let rule: ImportedRule
  let job: Job
  let start: WallInstant

  private var end: WallInstant { start + .seconds(Int64(ImportProof.years) * 31_557_600) }

  /// Returns the result of the comparison.
  func proof() -> ImportProof {
    switch rule.kind {
    case .unproven(let reason): return ImportProof(job: rule.job, place: rule.place, obstacle: reason)
    case .cron(let simulation):
      let starts = simulation.starts(
        after: start, before: end, count: ImportProof.instantCount, zone: job.zone)
      return compare(starts, isComplete: starts.count < ImportProof.instantCount)
    case .calendar(let rules):
      do throws(CalendarAnalysis.Obstacle) {
        let (instants, isComplete) = try CalendarAnalysis(zone: job.zone, start: start).instants(
          of: rules, before: end)
        return compare(instants, isComplete: isComplete)
      } catch {
        return ImportProof(job: rule.job, place: rule.place, obstacle: error.text)
      }
    case .event(let expansion):
      return expansion.proof(of: rule, schedule: job.schedule, zone: job.zone, after: start)
    }
  }

  private func compare(_ instants: [WallInstant], isComplete: Bool) -> ImportProof {
    ImportProof(
      job: rule.job, place: rule.place, expected: instants, isComplete: isComplete, schedule: job.schedule,
      zone: job.zone, after: start, before: end)
  }
}

/// Answers of `systemd-analyze calendar` about rules of OnCalendar=.
struct CalendarAnalysis {
  let zone: Zone
  let start: WallInstant

  /// The reason why there is no answer.
  struct Obstacle: Error {
    var text: String
  }

  /// Timeout of a call; a rule needs some milliseconds.
  private static let timeout = ElapsedTime.seconds(30)
  /// Maximum output of a call, in bytes: 1,000 instants of about 120 bytes each.
  private static let outputMax = 1_048_576

  /// Returns the ascending instants at which at least one of `rules` is due, and whether they are all instants before
  /// `end`.
  func instants(of rules: [String], before end: WallInstant) throws(Obstacle) -> (
    [WallInstant], isComplete: Bool
  ) {
    let count = ImportProof.instantCount
    var all: Set<WallInstant> = []
    var limit = end
    for rule in rules {
      let found = try instants(of: rule, count: count)
      if found.count >= count, let last = found.last { limit = min(limit, last) }
      all.formUnion(found)
    }
    let isCut = limit < end
    let sorted = all.filter { isCut ? $0 <= limit : $0 < limit }.sorted()
    return (Array(sorted.prefix(count)), isComplete: !isCut && sorted.count <= count)
  }

  private func instants(of rule: String, count: Int) throws(Obstacle) -> [WallInstant] {
    let hasZone = (try? CalendarExpression(parsing: rule))?.zoneName != nil
    let output: [UInt8]
    let end: ProcessEnd
    do throws(SystemError) {
      (output, end) = try FilterProcess.run(
        executable: "/usr/bin/env",
        arguments: [
          "PATH=/usr/bin:/bin", "TZ=UTC", "LC_ALL=C", "systemd-analyze", "calendar",
          "--iterations=\(count)",
          "--base-time=\(start.wholeSecondText) UTC", "--", hasZone ? rule : "\(rule) \(zone.name)",
        ], input: [], outputMax: Self.outputMax, timeout: Self.timeout)
    } catch {
      throw Obstacle(text: "systemd-analyze: \(error.reason.lowercased())")
    }
    guard end == .exited(0) else {
      throw Obstacle(
        text: "systemd-analyze calendar \(end): it needs systemd 252 or newer and must know the rule")
    }
    return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap(Self.instant)
  }

  /// The instant of a line such as `Next elapse: Thu 2026-01-01 01:00:00 UTC` or `Iter. #2: ...`.
  private static func instant(in line: Substring) -> WallInstant? {
    let words = line.split(separator: " ")
    guard words.count > 3, words.last == "UTC", words[0] == "Next" || words[0] == "Iter." else { return nil }
    return try? WallInstant(rfc3339: "\(words[words.count - 3])T\(words[words.count - 2])Z")
  }
}

extension WallInstant {
  /// `2026-01-01 00:00:00` in UTC, rounded down.
  fileprivate var wholeSecondText: String {
    let civil = Zone.utc.civil(at: WallInstant(secondsSinceEpoch: secondsSinceEpochRoundedDown))
    return "\(civil)"
  }

  private var secondsSinceEpochRoundedDown: Int64 {
    let (quotient, remainder) = nanosecondsSinceEpoch.quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
