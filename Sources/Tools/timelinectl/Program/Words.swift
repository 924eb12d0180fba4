import ArgumentParser
import TimelineClocks
import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLoading
import TimelineSystem

/// Parses the words of the command line, and formats values for people. The error for an invalid word names the
/// expected form.
enum Words {
  /// The start of the moment `text`. A moment without a zone is read in `zone`; if `zone` is `nil`, in the machine's
  /// zone.
  static func instant(_ text: String, option: String, in zone: Zone? = nil) throws -> WallInstant {
    if let instant = try? WallInstant(rfc3339: text) { return instant }
    do {
      return try Moment(parsing: text, now: SystemTime.now(), in: zone ?? ZoneCatalog().machineZone).start
    } catch {
      throw ValidationError("\(option) \(text): \(error)")
    }
  }

  static func length(_ text: String, option: String) throws -> ElapsedTime {
    do {
      return try length(text)
    } catch {
      throw ValidationError("\(option) \(text): \(error.message)")
    }
  }

  /// A length for an option; the parser prefixes an error with the option's name.
  static func length(_ text: String) throws(ValidationError) -> ElapsedTime {
    let length: ElapsedTime
    do {
      length = try ElapsedTime(parsing: text)
    } catch {
      throw ValidationError("\(error)")
    }
    guard length > .zero else { throw ValidationError("expected a length of time above 0s") }
    return length
  }

  static func speed(_ text: String) throws -> Speed {
    do {
      let speed = try Speed(parsing: text)
      guard speed != .paused else {
        throw ValidationError("--speed 0: expected a speed above 0, such as 60 or 1/2, or max")
      }
      return speed
    } catch is SpeedError {
      throw ValidationError("--speed \(text): expected a speed above 0, such as 60 or 1/2, or max")
    }
  }

  static func mode(_ text: String) throws -> ScheduleMode {
    guard let mode = ScheduleMode(rawValue: text) else {
      let modes = ScheduleMode.allCases.map(\.rawValue).joined(separator: " or ")
      throw ValidationError("--mode \(text): expected \(modes)")
    }
    return mode
  }

  /// The message for a job whose entries are counted, not recorded one by one.
  static func counted(_ job: String) -> String { "\(job) has too many entries for a record of every entry" }

  /// The line about the scheduled entries of a counted job, for an answer that has records alone.
  static func countedElsewhere(_ job: String) -> String {
    "\(counted(job)): `timelinectl list` has its counts, `timelinectl why \(job) now` those of this hour\n"
  }

  static func jobs(_ texts: [String], among definitions: [JobDefinition]) throws -> Set<JobName> {
    let known = Set(definitions.map(\.name))
    return Set(
      try texts.map { text in
        guard let name = JobName(text), known.contains(name) else {
          throw ValidationError(
            "there is no job \(text); the configuration has \(Self.list(definitions))"
              + Self.suggestion(for: text, among: definitions.map(\.name.text)))
        }
        return name
      })
  }

  /// `: did you mean 'backup'?`, the end of a message about an unknown name; empty if no name is near.
  static func suggestion(for name: String, among names: [String]) -> String {
    Spelling.nearest(to: name, among: names).map { ": did you mean '\($0)'?" } ?? ""
  }

  /// The names of jobs, at most the first few, so that the rest of the message stays visible.
  private static func list(_ definitions: [JobDefinition]) -> String {
    let shown = 10
    let names = definitions.prefix(shown).map(\.name.text).joined(separator: ", ")
    return definitions.count > shown ? "\(names) and \(definitions.count - shown) more" : names
  }

  /// A length for a cell of a table; a dash when there was none.
  static func length(_ nanoseconds: Int64?) -> String {
    nanoseconds.map { ElapsedTime(nanoseconds: $0).approximateText } ?? "-"
  }

  /// ` (run 7) for a plugin host: 2 of 2 in use`, the text after a word such as "waiting".
  static func wait(_ report: WaitReport) -> String {
    (report.run.map { " (run \($0))" } ?? "") + report.phrase.printable
  }

  /// ` by ada: the disk is full`, as far as the operator and the reason are known.
  static func origin(_ by: OperatorReport?, _ reason: String?) -> String {
    (by.map { " by \(name(of: $0))" } ?? "") + (reason.map { ": \($0.printable)" } ?? "")
  }

  /// The name of the user; `uid 1000` if the name is unknown.
  static func name(of report: OperatorReport) -> String { report.user?.printable ?? "uid \(report.uid)" }

  /// `1440 succeeded, 3 overlapped`, in the order of the glossary; `none` without outcomes. Unknown outcomes, from a
  /// newer daemon, come last.
  static func counts(_ outcomes: [String: Int], none: String = "none yet") -> String {
    let known = Outcome.allCases.map(\.rawValue)
    let order = known + outcomes.keys.filter { !known.contains($0) }.sorted()
    let parts = order.compactMap { word in outcomes[word].map { "\($0) \(word)" } }
    return parts.isEmpty ? none : parts.joined(separator: ", ")
  }

  /// The offset of a clock from the system clock: `+ 1h`, or `- 2.50s`.
  static func offset(_ nanoseconds: Int64) -> String {
    let length = ElapsedTime(nanoseconds: nanoseconds)
    return nanoseconds < 0
      ? "- \((ElapsedTime.zero - length).approximateText)" : "+ \(length.approximateText)"
  }

  /// The distance of an instant from now, such as `in 3h20m` and `5d ago`. The distance may exceed
  /// ``ElapsedTime/max``.
  static func distance(to instant: WallInstant, from now: WallInstant) -> String {
    let distance = instant - now
    var text = (instant < now ? .zero - distance : distance).approximateText
    if distance == .max || .zero - distance == .max {
      let second: Int64 = 1_000_000_000
      let seconds = instant.nanosecondsSinceEpoch / second - now.nanosecondsSinceEpoch / second
      text = ElapsedTime.approximateText(seconds: abs(seconds))
    }
    return instant < now ? "\(text) ago" : "in \(text)"
  }

  /// The distance to the next entry, such as `in 3h20m`. `due` if the entry is not in the future, also if it is late
  /// or delayed by jitter.
  static func toCome(_ entry: WallInstant, from now: WallInstant) -> String {
    entry > now ? distance(to: entry, from: now) : "due"
  }

  /// Names and texts as two columns, a line each.
  static func lines(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, text in
      name + String(repeating: " ", count: width - name.count) + "  " + text.printable + "\n"
    }.joined()
  }

  /// An instant for people, in their zone.
  static func text(_ instant: WallInstant, in zone: Zone) -> String {
    instant.text(in: zone)
  }
}

extension StringProtocol {
  /// The text without blanks at its end.
  var trimmingBlanks: String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }
}

extension CivilTime {
  /// `HH:MM:SS.mmm`, precise enough to distinguish lines.
  var millisecondText: String {
    let digits = [(hour, 2), (minute, 2), (second, 2), (nanosecond / 1_000_000, 3)].map { number, width in
      String(repeating: "0", count: width - String(number).count) + String(number)
    }
    return digits[..<3].joined(separator: ":") + "." + digits[3]
  }
}
