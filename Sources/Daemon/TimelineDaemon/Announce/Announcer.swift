import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem
import TimelineSystemd

/// The daemon's log: all messages go through it.
///
/// An announcement becomes a native journal entry with fields if systemd's journal reads standard error. Otherwise it becomes a
/// readable line on standard output. Control characters of plugins are escaped in these lines, because a terminal would execute
/// them. They are not escaped in the journal, which accepts any bytes.
final class Announcer {
  /// Sends a native entry: a text, its priority and fields.
  typealias Send = (String, JournalPriority, [(name: String, value: String)]) -> Void

  /// The least severe level that is logged.
  var level = Announcement.Level.info
  var zone = Zone.utc
  var jobWidth = 0

  private let usesJournal: Bool
  private let send: Send
  private let write: (String) -> Void
  private let now: () -> WallInstant
  private var printedDate: CivilDate?

  /// Makes an announcer that dates its lines by `now`.
  ///
  /// - Parameters:
  ///   - usesJournal: Whether systemd's journal reads standard error.
  ///   - send: Sends an entry to the journal.
  ///   - write: Writes a line, if the journal does not read standard error.
  init(
    usesJournal: Bool, now: @escaping () -> WallInstant,
    send: @escaping Send = { Journal.send($0, priority: $1, fields: $2) },
    write: @escaping (String) -> Void = CurrentProcess.print
  ) {
    self.usesJournal = usesJournal
    self.send = send
    self.now = now
    self.write = write
  }

  /// Logs an announcement, unless it is less severe than ``level``.
  func announce(_ announcement: Announcement) {
    guard announcement.level <= level else { return }
    if usesJournal {
      // An entry that the journal rejects is lost: there is no second place to log it.
      send(
        announcement.text, JournalPriority(rawValue: announcement.level.rawValue) ?? .information,
        announcement.journalFields)
    } else {
      writeLines(announcement)
    }
  }

  /// Logs a message about the daemon itself.
  func announce(_ level: Announcement.Level, _ text: String, kind: Announcement.Kind = .other) {
    announce(Announcement(level: level, kind: kind, text: text))
  }

  private func writeLines(_ announcement: Announcement) {
    let civil = zone.civil(at: now())
    if civil.date != printedDate {
      printedDate = civil.date
      write("-- \(civil.date) \(zone.name)\n")
    }
    var prefix = civil.time.millisecondText + "  "
    if let job = announcement.job {
      prefix += job.text + String(repeating: " ", count: max(0, jobWidth - job.text.utf8.count)) + "  "
    }
    if announcement.level <= .warning { prefix += "\(announcement.level): " }
    var text = announcement.text
    for field in announcement.fields { text += "  \(field.name)=\(field.value)" }
    guard text.utf8.contains(UInt8(ascii: "\n")) else { return write(prefix + text.printable + "\n") }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    write(lines.map { prefix + $0.printable + "\n" }.joined())
  }
}

extension Announcement {
  /// The fields of a native journal entry (systemd.journal-fields(7)). Names of the daemon's own fields begin with `TIMELINE_`.
  var journalFields: [(name: String, value: String)] {
    var result: [(name: String, value: String)] = []
    if kind != .other { result.append((name: "MESSAGE_ID", value: kind.rawValue)) }
    if let job { result.append((name: "TIMELINE_JOB", value: job.text)) }
    if let run { result.append((name: "TIMELINE_RUN", value: run.description)) }
    if let entry { result.append((name: "TIMELINE_ENTRY", value: entry.description)) }
    if let by {
      result.append((name: "TIMELINE_BY_UID", value: "\(by.user)"))
      if let name = by.name { result.append((name: "TIMELINE_BY_USER", value: name)) }
      if by.process > 0 { result.append((name: "TIMELINE_BY_PID", value: "\(by.process)")) }
    }
    for field in fields { result.append((name: Self.fieldName(field.name), value: field.value)) }
    return result
  }

  /// Returns the journal name of a plugin's field: capitals, digits and underscores, the only characters that the journal
  /// allows. The prefix prevents a plugin from setting fields of another program.
  private static func fieldName(_ name: String) -> String {
    let letters = name.utf8.prefix(40).map { byte -> UInt8 in
      switch byte {
      case 0x61...0x7A: byte - 0x20
      case 0x30...0x39, 0x41...0x5A: byte
      default: 0x5F
      }
    }
    return "TIMELINE_FIELD_" + String(decoding: letters, as: UTF8.self)
  }
}

extension CivilTime {
  /// The time as `HH:MM:SS.mmm`: precise enough to distinguish two lines.
  var millisecondText: String {
    let milliseconds = nanosecond / 1_000_000
    return [hour, minute, second].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
      + "." + String(repeating: "0", count: 3 - String(milliseconds).count) + String(milliseconds)
  }
}
