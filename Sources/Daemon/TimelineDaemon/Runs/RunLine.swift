import TimelineCore
import TimelineEngine

/// One-line texts of settled entries.
enum RunLine {
  /// Returns the announcement of a settled entry, with times in `zone`.
  static func announcement(of record: EntryRecord, in zone: Zone) -> Announcement {
    Announcement(
      level: level(of: record.outcome), kind: .entrySettled,
      text: text(of: record, in: zone),
      job: record.entry.job, run: record.run, entry: record.entry.nominal,
      fields: [])
  }

  /// Returns a line such as `failed  entry 12:00:05  late 210us  took 1.93ms: exit status 1`.
  static func text(of record: EntryRecord, in zone: Zone) -> String {
    var parts = [record.outcome.rawValue]
    switch record.cause {
    case .schedule: parts.append("entry " + entryText(record.entry.nominal, seenAt: record.endedAt, in: zone))
    case .missed:
      parts.append("missed entry " + entryText(record.entry.nominal, seenAt: record.endedAt, in: zone))
    case .recovery:
      parts.append("entry " + entryText(record.entry.nominal, seenAt: record.endedAt, in: zone) + " again")
    case .trigger: parts.append("triggered manually")
    case .rerun, .backfill:
      let entry = record.rerun.map { "entry " + entryText($0.of, seenAt: record.endedAt, in: zone) }
      parts.append("\(record.cause.rawValue) of " + (entry ?? "an entry"))
    case .reaction:
      let told = record.upstream.map {
        "\($0.job) " + entryText($0.nominal, seenAt: record.endedAt, in: zone)
      }
      parts.append("told of " + (told ?? "another job"))
    }
    if record.entryCount > 1 { parts.append("for \(record.entryCount) entries") }
    if let startedAt = record.startedAt, record.cause.isOfSchedule {
      parts.append("late \((startedAt - record.entry.nominal).approximateText)")
    }
    if let elapsed = record.elapsed { parts.append("took \(elapsed.approximateText)") }
    if record.attempts > 1 { parts.append("\(record.attempts) attempts") }
    let line = parts.joined(separator: "  ")
    // The message of a success is logged by the run itself. The message of a failure is the reason of the outcome.
    return record.reason.isEmpty || record.outcome == .succeeded ? line : line + ": " + record.reason
  }

  /// Returns the time of day, with the date if it differs from the date of `seenAt`.
  private static func entryText(_ nominal: WallInstant, seenAt: WallInstant, in zone: Zone) -> String {
    let civil = zone.civil(at: nominal)
    let isSameDay = civil.date == zone.civil(at: seenAt).date
    return (isSameDay ? "" : "\(civil.date) ") + civil.time.shown
  }

  /// Returns the severity of an outcome.
  static func level(of outcome: Outcome) -> Announcement.Level {
    switch outcome.kind {
    case .success: .info
    case .failure: .error
    case .miss: .warning
    case .cancellation, .omission: .notice
    }
  }
}
