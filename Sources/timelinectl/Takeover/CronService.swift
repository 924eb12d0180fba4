import TimelineCore
import TimelineLoading
import TimelineSystem
import TimelineSystemd

/// The service of cron, which systemd stops and starts.
struct CronService {
  /// A failure: its subject, the event and the remedy, as one message.
  struct Failure: Error {
    let text: String
  }

  /// Cron ends at once, and systemd kills it after 90 s.
  private static let timeout = ElapsedTime.minutes(2)
  /// More than systemctl says about some units.
  private static let outputMax = 65_536

  /// Stops, disables and masks those services of cron that are active; returns their names.
  ///
  /// It is done in the middle of a minute, so that what is due at its beginning is either cron's or timelined's.
  func stop() throws(Failure) -> [String] {
    guard let active = SystemdUnits.active(among: CronActivity.services) else {
      throw Failure(
        text: "systemd does not answer: stop cron yourself; timelined then runs the jobs within 15s")
    }
    guard !active.isEmpty else {
      if case .active(let clause) = CronActivity.ofProcess(below: "") {
        throw Failure(
          text:
            "\(clause), of no service of systemd: stop it yourself; timelined then runs the jobs within 15s")
      }
      throw Failure(text: "cron is not active: timelined runs the jobs already")
    }
    awaitMiddleOfMinute()
    for name in active {
      try systemctl("disable", "--now", "--", name)
      try systemctl("mask", "--", name)
    }
    if let still = SystemdUnits.active(among: active)?.first {
      throw Failure(
        text: "\(still) is still active: see systemctl status \(still); timelinectl takeover --undo")
    }
    if case .active(let clause) = CronActivity.ofProcess(below: "") {
      throw Failure(
        text: "\(clause), of no service of systemd: stop it yourself; or timelinectl takeover --undo")
    }
    return active
  }

  /// Unmasks, enables and starts the services of cron that are installed; returns their names.
  func start() throws(Failure) -> [String] {
    let installed = CronActivity.services.filter { name in
      Self.unitDirectories.contains { (try? FileFacts(at: $0.appending(fileName: name))) != nil }
    }
    guard !installed.isEmpty else {
      throw Failure(text: "no service of cron is installed: install it, for example with apt install cron")
    }
    awaitMiddleOfMinute()
    for name in installed {
      try systemctl("unmask", "--", name)
      try systemctl("enable", "--now", "--", name)
    }
    return installed
  }

  /// Directories of units that packages install.
  private static let unitDirectories = ["/usr/lib/systemd/system", "/lib/systemd/system"]

  /// Runs systemctl and shows what it says.
  private func systemctl(_ words: String...) throws(Failure) {
    let command = "systemctl \(words.joined(separator: " "))"
    let (output, end): ([UInt8], ProcessEnd)
    do throws(SystemError) {
      (output, end) = try FilterProcess.run(
        executable: "/usr/bin/env",
        arguments: [
          "-i", "PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C", "sh", "-c", "exec \"$@\" 2>&1", "sh",
          "systemctl", "--no-ask-password",
        ] + words, input: [], outputMax: Self.outputMax, timeout: Self.timeout)
    } catch {
      throw Failure(text: "\(command): \(error.plainReason): run it yourself")
    }
    CurrentProcess.printError(String(decoding: output, as: UTF8.self))
    guard end == .exited(0) else { throw Failure(text: "\(command) \(end): correct that, and try again") }
  }

  /// Waits until the minute is neither about to end nor just begun.
  private func awaitMiddleOfMinute() {
    let second = SystemTime.now().nanosecondsSinceEpoch / 1_000_000_000 % 60
    guard second < 3 || second > 45, let loop = try? EventLoop() else { return }
    loop.after(.seconds(second < 3 ? 3 - second : 63 - second)) { loop.stop() }
    loop.run()
  }
}
