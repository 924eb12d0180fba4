import TimelineCore
import TimelineSystem

/// Calls of systemctl.
enum Systemctl {
  /// Timeout of a call. Cron ends at once, or systemd kills it after 90 s.
  private static let timeout = ElapsedTime.minutes(2)
  /// Maximum output, in bytes: more than systemctl prints about a few units.
  private static let outputMax = 65_536

  /// Runs systemctl and shows its output. Throws if systemctl fails.
  static func show(_ words: String...) throws(CronService.Failure) {
    let command = "systemctl \(words.joined(separator: " "))"
    let (output, end) = try run(command, ["systemctl", "--no-ask-password"] + words, "exec \"$@\" 2>&1")
    CurrentProcess.printError(String(decoding: output, as: UTF8.self))
    guard end == .exited(0) else {
      throw CronService.Failure(text: "\(command) \(end): correct that, and try again")
    }
  }

  /// The words that systemctl prints. The exit status is ignored, because it may be the answer to a query.
  static func names(_ words: String...) throws(CronService.Failure) -> [String] { try names(words) }

  /// The words that systemctl prints, for arguments in an array.
  static func names(_ words: [String]) throws(CronService.Failure) -> [String] {
    let command = "systemctl \(words.joined(separator: " "))"
    let output = try run(command, ["systemctl"] + words, "exec \"$@\" 2>/dev/null").output
    return String(decoding: output, as: UTF8.self).split { $0 == "\n" || $0 == " " }.map(String.init)
  }

  /// Sets the times of `paths` to now. Skips files that do not exist.
  static func touch(_ paths: [String]) throws(CronService.Failure) {
    _ = try run("touch", ["touch", "-c", "--"] + paths, "exec \"$@\"")
  }

  private static func run(
    _ command: String, _ words: [String], _ script: String
  ) throws(CronService.Failure) -> (output: [UInt8], end: ProcessEnd) {
    do throws(SystemError) {
      return try FilterProcess.run(
        executable: "/usr/bin/env",
        arguments: [
          "-i", "PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C", "TZ=UTC", "sh", "-c", script, "sh",
        ] + words,
        input: [], outputMax: outputMax, timeout: timeout)
    } catch {
      throw CronService.Failure(text: "\(command): \(error.plainReason): run it yourself")
    }
  }
}
