package import TimelineConfiguration
import TimelineImport
import TimelineSystem
import TimelineSystemd

/// Sources of jobs that `timelinectl import` made, by the comments that it wrote above them: what still runs these runs each job twice.
package struct ImportOrigins: Sendable {
  /// Sources that still run jobs.
  package struct Conflict: Sendable {
    /// The fact, for example `cron still runs 1 of these 2 lines (cron.service is active)`.
    package var fact: String
    /// The way to end that.
    package var remedy: String
  }

  /// Lines of crontabs.
  package private(set) var lines: [String] = []
  /// Names of timers.
  package private(set) var timers: [String] = []

  /// Timers that are named; a thousand are counted.
  private static let namedMax = 20

  /// The first line of what an import wrote begins so, or one of the next ones.
  private static let mark = "# Imported from "
  /// The lines among which that is, and the bytes that they have at most: a path may have 4,096.
  private static let markLinesMax = 5
  private static let markBytesMax = 8_192

  /// Whether a file is one that an import wrote.
  package static func begin(_ source: ConfigurationSource) -> Bool {
    let text = String(decoding: source.bytes.prefix(markBytesMax), as: UTF8.self)
    return markedLine(text.split(separator: "\n", maxSplits: markLinesMax)) != nil
  }

  private static func markedLine(_ lines: [Substring]) -> Substring? {
    lines.prefix(markLinesMax).first { $0.hasPrefix(mark) }
  }

  /// Reads a configuration; one that no import wrote has no sources.
  package init(of text: String) {
    let all = text.split(separator: "\n")
    guard let origin = Self.markedLine(all) else { return }
    let comments = zip(all, all.dropFirst()).filter { $0.hasPrefix("# ") && $1.hasPrefix("[job.") }
      .map { $0.0.dropFirst(2) }
    if origin.hasSuffix(" by timelinectl import crontab.") {
      // `/etc/cron.d/backup:7: 30 2 * * * root backup`
      lines = comments.compactMap { comment in
        guard let end = comment.firstRange(of: ": "),
          comment[..<end.lowerBound].split(separator: ":").last.flatMap({ Int($0) }) != nil
        else { return nil }
        return Self.trimmed(comment[end.upperBound...])
      }
    } else if origin.hasSuffix(" by timelinectl import timers.") {
      // `/etc/systemd/system/backup.timer, /etc/systemd/system/backup.service`
      timers = comments.compactMap { comment in
        let path = comment.split(separator: ",").first ?? ""
        guard path.hasPrefix("/"), path.hasSuffix(".timer") else { return nil }
        return path.split(separator: "/").last.map(String.init)
      }
    }
  }

  /// Returns what still runs them; `nil` for nothing. Reads crontabs and asks systemd, which may take a second.
  ///
  /// - Parameter root: Precedes the paths; empty but for tests.
  package func conflict(below root: String) -> Conflict? {
    lines.isEmpty ? root.isEmpty ? timerConflict : nil : lineConflict(below: root)
  }

  private var timerConflict: Conflict? {
    guard !timers.isEmpty, let active = SystemdUnits.active(among: timers), !active.isEmpty else {
      return nil
    }
    let names =
      active.prefix(Self.namedMax).joined(separator: " ") + (active.count > Self.namedMax ? " …" : "")
    return Conflict(fact: "systemd still runs \(names)", remedy: "systemctl disable --now \(names)")
  }

  private func lineConflict(below root: String) -> Conflict? {
    var (isCertain, clause) = (true, "")
    do throws(UnknownCronActivity) {
      guard case .active(let seen) = try CronActivity.look(below: root, crontabs: []) else { return nil }
      clause = seen
    } catch {
      (isCertain, clause) = (false, error.reason)
    }
    let present = PresentLines(below: root)
    var count = lines.count { present.lines.contains($0) }
    if count == 0 {
      guard let unread = present.unread else { return nil }
      (isCertain, clause, count) = (false, "\(clause); \(unread) cannot be read", lines.count)
    }
    let part = count == lines.count ? "" : "\(count) of "
    let those = lines.count == 1 ? "this line" : "\(part)these \(lines.count) lines"
    return Conflict(
      fact: "cron \(isCertain ? "still runs" : "may still run") \(those) (\(clause))",
      remedy:
        "remove \(lines.count == 1 ? "it" : "them") there, or in place of this file use [include] and timelinectl takeover"
    )
  }

  fileprivate static func trimmed(_ text: Substring) -> String {
    let isBlank = { (character: Character) in character == " " || character == "\t" || character == "\r" }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}

extension ImportOrigins {
  /// Returns those files whose sources still run their jobs, with the conflicts.
  ///
  /// - Parameter root: Precedes the paths of crontabs; empty but for tests.
  package static func conflicts(
    of files: [ConfigurationSource], below root: String
  ) -> [(path: String, conflict: Conflict)] {
    files.filter(begin).compactMap { file in
      ImportOrigins(of: String(decoding: file.bytes, as: UTF8.self)).conflict(below: root).map {
        (file.path, $0)
      }
    }
  }

  /// The same as sentences.
  package static func warnings(about files: [ConfigurationSource], below root: String) -> [String] {
    conflicts(of: files, below: root).map {
      "\($0.path): \($0.conflict.fact), as well as this file: \($0.conflict.remedy)"
    }
  }
}

/// Lines of the crontabs that a cron of this machine has.
private struct PresentLines {
  var lines: Set<String> = []
  /// A crontab, or a directory of them, that cannot be read.
  var unread: String?

  init(below root: String) {
    for path in CronRunner.places { read(root + path, depth: 2) }
  }

  /// Reads a crontab, or all in a directory: a user has one below the spool or in a directory there.
  private mutating func read(_ path: String, depth: Int) {
    do throws(SystemError) {
      switch try FileFacts(at: path).kind {
      case .regular:
        let bytes = try FileContents.read(path, limit: CrontabSource.byteCountMax).bytes
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
          lines.insert(ImportOrigins.trimmed(line))
        }
      case .directory where depth > 0:
        for name in try DirectoryListing.names(in: path) {
          read(path.appending(fileName: name), depth: depth - 1)
        }
      default: break
      }
    } catch  where error.isMissing {
      // No cron has one there.
    } catch {
      unread = path
    }
  }
}
