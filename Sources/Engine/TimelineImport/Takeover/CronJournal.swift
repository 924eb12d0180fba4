import TimelineConfiguration
package import TimelineCore
import TimelineJSON

/// cron's messages in the journal, as printed by `journalctl -o json`.
package struct CronJournal: Sendable, Equatable {
  /// A command that cron ran.
  package struct Run: Sendable, Equatable {
    package var instant: WallInstant
    /// The user who ran the command.
    package var user: String
    /// The form in cron's log.
    package var command: String
    /// Whether the message ends before the command ends.
    package var isCut: Bool
  }

  /// Another action of cron.
  package struct Act: Sendable, Equatable {
    /// Kinds of actions.
    package enum Kind: Sendable, Equatable {
      case start
      /// Cron read a crontab again.
      case reload
    }

    package var instant: WallInstant
    package var kind: Kind
  }

  /// In the order of the journal.
  package private(set) var runs: [Run] = []
  /// Starts and reloads, in the order of the journal.
  package private(set) var acts: [Act] = []
  /// Instant of cron's first message; `nil` without messages.
  package private(set) var begin: WallInstant?
  /// Lines that are not messages in JSON.
  package private(set) var unreadableCount = 0

  /// Reads lines of JSON. Counts lines that cannot be read.
  package init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) { add(line) }
  }

  private mutating func add(_ line: ArraySlice<UInt8>) {
    guard let value = try? JSONValue(parsing: String(decoding: line, as: UTF8.self)),
      case .string(let stamp)? = value.value(at: "/__REALTIME_TIMESTAMP"), let microseconds = Int64(stamp),
      (0...Self.microsecondsMax).contains(microseconds)
    else { return unreadableCount += 1 }
    // Cron prints bytes that are not text as numbers, so a message in another form does not come from cron.
    guard case .string(let message)? = value.value(at: "/MESSAGE") else { return }
    add(message, WallInstant.epoch + .microseconds(microseconds))
  }

  private mutating func add(_ message: String, _ instant: WallInstant) {
    guard message.hasPrefix("("), let close = message.firstIndex(of: ")") else { return }
    begin = min(begin ?? instant, instant)
    let user = String(message[message.index(after: message.startIndex)..<close])
    let rest = message[message.index(after: close)...].drop { $0 == " " }
    if rest.hasPrefix("CMD (") {
      let text = rest.dropFirst("CMD (".count)
      let isCut = text.last != ")"
      let command = isCut ? text : text.dropLast()
      runs.append(Run(instant: instant, user: user, command: String(command).trimmed, isCut: isCut))
    } else if rest.hasPrefix("STARTUP (") {
      acts.append(Act(instant: instant, kind: .start))
    } else if rest.hasPrefix("RELOAD (") {
      acts.append(Act(instant: instant, kind: .reload))
    }
  }

  /// The year 2200. Later instants are mistakes.
  private static let microsecondsMax: Int64 = 7_258_118_400_000_000
}

extension CronCommand {
  /// The command as in cron's log (misc.c, `mkprint`). Spaces at both ends are removed, because cron keeps some
  /// leading spaces.
  var printed: String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case ..<0x20: bytes += [UInt8(ascii: "^"), byte + UInt8(ascii: "@")]
      case 0x7F: bytes += Array("^?".utf8)
      case 0x80...:
        let digits = String(byte, radix: 8)
        bytes += Array(("\\" + String(repeating: "0", count: 3 - digits.count) + digits).utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self).trimmed
  }
}
