import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineSystemd

// What systemd is told of the daemon while it runs.
extension Daemon {
  /// What has been told to systemd and when the next is due.
  struct StatusLine {
    /// A message that once could not be sent is no reason to fall silent; that nobody listens is.
    let isHeard = CurrentProcess.environment["NOTIFY_SOCKET"] != nil
    /// What was told last.
    var told = ""
    /// Until it is told again; `nil` when there is nothing new.
    var pause: Delay?
    /// How often it has been put off since it was told last.
    var putOffCount = 0

    /// Up to how long it takes to put the line together.
    static let length = ElapsedTime.milliseconds(20)
    /// How often it is put off: for some tenths of a second, which nobody notices in a line that is a second old.
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

  /// Tells systemd at most once a second, when nothing is due soon and no runs are answering one after the other.
  func scheduleStatus(after pause: ElapsedTime = .seconds(1)) {
    guard statusLine.isHeard, statusLine.pause == nil, !isDraining else { return }
    statusLine.pause = loop.after(pause) { [weak self] in self?.tellStatus() }
  }

  private func tellStatus() {
    statusLine.pause = nil
    // What is looked through for a line that people read must not keep a start waiting.
    let delay = QuietMoment.delay(
      of: StatusLine.length, at: clock.now, before: turn.armedAt, atLatest: .max,
      expectingAnswers: loop.isExpectingAnswers)
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

  /// Proves that the engine has done all that was due, and only then tells the watchdog that we are alive.
  func proveProgress() {
    post(.wake)
    let isOverdue = turn.armedAt.map { $0 <= clock.now - .seconds(1) } ?? false
    if !isOverdue { service.watchdog() }
  }
}
