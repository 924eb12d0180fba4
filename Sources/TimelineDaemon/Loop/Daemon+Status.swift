import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineSystemd

// Status of the daemon for systemd while it runs.
extension Daemon {
  /// The status last sent to systemd, and the delay until the next one.
  struct StatusLine {
    /// The text last sent.
    var told = ""
    /// Delay until the next text; `nil` if there is nothing new.
    var pause: Delay?
    /// Number of times that the text has been deferred since the last one was sent.
    var putOffCount = 0

    /// Longest time that making the line takes.
    static let length = ElapsedTime.milliseconds(20)
    /// Largest number of times that the line is deferred: some tenths of a second, which is not noticeable in a line that is a
    /// second old.
    static let putOffMax = 100
  }

  /// One line for `systemctl status`.
  var statusText: String {
    var parts = [jobs.count == 1 ? "1 job" : "\(jobs.count) jobs"]
    if let entry = engine.nextEntry {
      parts.append("next \(entry.job) at \(entry.nominal.text(in: settings.zone))")
    }
    let idleCount = runs.isEmpty ? 0 : engine.idleRunCount
    if runs.count > idleCount { parts.append("\(runs.count - idleCount) running") }
    if idleCount > 0 { parts.append("\(idleCount) waiting") }
    if let failure = jobs.lastFailure {
      parts.append("last failure \(failure.entry.job) at \(failure.endedAt.text(in: settings.zone))")
    }
    return parts.joined(separator: ", ")
  }

  /// Reports the status to systemd at most once a second, when nothing is due soon.
  func scheduleStatus(after pause: ElapsedTime = .seconds(1)) {
    guard service.isHeard, statusLine.pause == nil, !isDraining else { return }
    statusLine.pause = loop.after(pause) { [weak self] in self?.tellStatus() }
  }

  private func tellStatus() {
    statusLine.pause = nil
    // Making the line must not delay a start.
    let delay = IdleWindow.delay(
      of: StatusLine.length, at: clock.now, before: realDeadline, atLatest: .max)
    if let delay, statusLine.putOffCount < StatusLine.putOffMax {
      statusLine.putOffCount += 1
      return scheduleStatus(after: delay)
    }
    statusLine.putOffCount = 0
    guard !isDraining else { return }
    let text = statusText
    if text != statusLine.told { service.status(text) }
    statusLine.told = text
  }

  /// Notifies systemd's watchdog, but only if the engine has done all due work.
  func proveProgress() {
    post(.wake)
    let isOverdue = realDeadline.map { $0 <= clock.now - .seconds(1) } ?? false
    if !isOverdue { service.watchdog() }
  }
}
