import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineSystemd

/// Status of the daemon for systemd while it runs: a line for `systemctl status`, and the notices for the watchdog.
final class StatusLine {
  /// The text last sent.
  private var told = ""
  /// Delay until the next text; `nil` if there is nothing new.
  private var pause: Delay?
  /// Number of times that the text has been deferred since the last one was sent.
  private var putOffCount = 0
  private var isEnded = false
  private unowned let events: any EventInbox
  private let runs: RunBoard
  private let jobs: LoadedJobs
  private let loop: EventLoop
  private let clock: DaemonClock
  private let service: ServiceNotifier

  /// Longest time that making the line takes.
  private static let length = ElapsedTime.milliseconds(20)
  /// Largest number of times that the line is deferred: some tenths of a second, which is not noticeable in a line that is a
  /// second old.
  private static let putOffMax = 100

  init(of events: any EventInbox, runs: RunBoard, jobs: LoadedJobs, _ parts: DaemonParts) {
    (self.events, self.runs, self.jobs) = (events, runs, jobs)
    (loop, clock, service) = (parts.loop, parts.clock, parts.service)
  }

  /// One line for `systemctl status`.
  private var text: String {
    let engine = events.state
    var parts = [jobs.count == 1 ? "1 job" : "\(jobs.count) jobs"]
    if let entry = engine.nextEntry {
      parts.append("next \(entry.job) at \(entry.nominal.text(in: jobs.settings.zone))")
    }
    let idleCount = runs.isEmpty ? 0 : engine.idleRunCount
    if runs.count > idleCount { parts.append("\(runs.count - idleCount) running") }
    if idleCount > 0 { parts.append("\(idleCount) waiting") }
    if let failure = jobs.lastFailure {
      parts.append("last failure \(failure.entry.job) at \(failure.endedAt.text(in: jobs.settings.zone))")
    }
    return parts.joined(separator: ", ")
  }

  /// Reports that the daemon is ready, unless it is about to end.
  func tellReady() {
    if !isEnded { service.ready(status: text) }
  }

  /// Sends the line at most once a second, when nothing is due soon.
  func schedule(after delay: ElapsedTime = .seconds(1)) {
    guard service.isHeard, pause == nil, !isEnded else { return }
    pause = loop.after(delay) { [weak self] in self?.tell() }
  }

  private func tell() {
    pause = nil
    // Making the line must not delay a start.
    let delay = IdleWindow.delay(
      of: Self.length, at: clock.now, before: events.realDeadline, atLatest: .max)
    if let delay, putOffCount < Self.putOffMax {
      putOffCount += 1
      return schedule(after: delay)
    }
    putOffCount = 0
    guard !isEnded else { return }
    let text = text
    if text != told { service.status(text) }
    told = text
  }

  /// Notifies systemd's watchdog, but only if the engine has done all due work.
  func proveProgress() {
    events.post(.wake)
    let isOverdue = events.realDeadline.map { $0 <= clock.now - .seconds(1) } ?? false
    if !isOverdue { service.watchdog() }
  }

  /// Ends the lines, because the daemon is about to end.
  func end() { isEnded = true }
}
