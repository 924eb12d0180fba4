package import TimelineConfiguration
import TimelineImport
import TimelineSystem
import TimelineSystemd

/// Sources of jobs that `timelinectl import` made, from the comments above the jobs. If a source is still active,
/// each of its jobs runs twice.
package struct ImportOrigins: Sendable {
  /// Sources that still run their jobs.
  package struct Conflict: Sendable {
    /// The fact, for example `cron still runs 1 of these 2 lines (cron.service is active)`.
    package var fact: String
    package var remedy: String
  }

  /// Lines of crontabs.
  package private(set) var lines: [String] = []
  package private(set) var timers: [String] = []

  /// Timers that a message names. Further timers are counted.
  private static let namedMax = 20

  /// The beginning of one of the first lines of an imported file.
  private static let mark = "# Imported from "
  /// Number of lines that are searched for the mark, and their largest size in bytes: a path may have 4,096.
  private static let markLinesMax = 5
  private static let markBytesMax = 8_192

  /// Whether an import wrote the file.
  package static func begin(_ source: ConfigurationSource) -> Bool {
    let text = String(decoding: source.bytes.prefix(markBytesMax), as: UTF8.self)
    return markedLine(text.split(separator: "\n", maxSplits: markLinesMax)) != nil
  }

  private static func markedLine(_ lines: [Substring]) -> Substring? {
    lines.prefix(markLinesMax).first { $0.hasPrefix(mark) }
  }

  /// Reads a configuration. A configuration without an import has no sources.
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

  /// Returns the conflict with active sources; `nil` if there is none. Reads crontabs and queries systemd, which may
  /// take a second.
  ///
  /// - Parameter root: Prefix of the paths; empty except in tests.
  package func conflict(below root: String) -> Conflict? {
    lines.isEmpty ? root.isEmpty ? timerConflict : nil : lineConflict(below: root)
  }

  private var timerConflict: Conflict? {
    guard !timers.isEmpty, let active = SystemdUnits.active(among: timers), !active.isEmpty else {
      return nil
    }
    let names =
      active.prefix(Self.namedMax).joined(separator: " ") + (active.count > Self.namedMax ? " …" : "")
    return Conflict(fact: "systemd still runs \(names)", remedy: "`systemctl disable --now \(names)`")
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
        "remove \(lines.count == 1 ? "it" : "them") there, or in place of this file use [include] and `timelinectl takeover`"
    )
  }

  fileprivate static func trimmed(_ text: Substring) -> String {
    let isBlank = { (character: Character) in character == " " || character == "\t" || character == "\r" }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}

extension ImportOrigins {
  /// Returns the files with active sources, and their conflicts.
  ///
  /// - Parameter root: Prefix of the paths of crontabs; empty except in tests.
  package static func conflicts(
    of files: [ConfigurationSource], below root: String
  ) -> [(path: String, conflict: Conflict)] {
    files.filter(begin).compactMap { file in
      ImportOrigins(of: String(decoding: file.bytes, as: UTF8.self)).conflict(below: root).map {
        (file.path, $0)
      }
    }
  }

  /// Returns the conflicts of the files as sentences.
  package static func warnings(about files: [ConfigurationSource], below root: String) -> [String] {
    conflicts(of: files, below: root).map {
      "\($0.path): \($0.conflict.fact), as well as this file: \($0.conflict.remedy)"
    }
  }
}

/// Lines of the crontabs that a cron of this machine reads.
private struct PresentLines {
  var lines: Set<String> = []
  /// A crontab, or a directory of crontabs, that cannot be read.
  var unread: String?

  init(below root: String) {
    for path in CronRunner.places { read(root + path, depth: 2) }
  }

  /// Reads a crontab, or all crontabs in a directory. A user's crontab is in the spool or in a directory of the
  /// spool.
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
      // This path does not exist, so no cron uses it.
    } catch {
      unread = path
    }
  }
}
