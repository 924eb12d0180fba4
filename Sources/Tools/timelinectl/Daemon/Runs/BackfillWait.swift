import ArgumentParser
import Glibc
import TimelineControl
import TimelineCore
import TimelineSystem

/// The wait for the end of a backfill, with its progress on the terminal.
final class BackfillWait {
  private let connection: DaemonConnection
  private let printsJSON: Bool
  private let loop: EventLoop
  private var backfill: BackfillReport
  private var bar = BackfillBar()
  private var signals: SignalSource?
  /// The signal that ended the wait; `nil` for none.
  private var interruption: Signal?
  /// Start of the time without an answer; `nil` while the daemon answers.
  private var silentSince: MonotonicInstant?

  /// Time between two questions: progress is seen soon, and the daemon has little to do.
  private static let interval = ElapsedTime.seconds(1)
  /// Time without an answer after which the wait ends. A restart of the daemon takes seconds.
  private static let silenceMax = ElapsedTime.seconds(60)

  /// Makes a wait for the end of `backfill`, as it was last reported.
  init(for backfill: BackfillReport, over connection: DaemonConnection, printsJSON: Bool) throws {
    (self.backfill, self.connection, self.printsJSON) = (backfill, connection, printsJSON)
    loop = try EventLoop()
    signals = try SignalSource(loop: loop, signals: [.interrupt, .terminate]) { [unowned self] signal in
      interruption = signal
    }
  }

  /// Returns the backfill at its end. Ends the program after Ctrl-C, and if the daemon does not answer.
  func run() throws -> BackfillReport {
    defer { bar.erase() }
    while isOpen {
      if !printsJSON { bar.show(backfill) }
      if loop.run(atMost: Self.interval, until: { interruption != nil }) { try leave() }
      if let report = try next() { try take(report) }
    }
    return backfill
  }

  private var isOpen: Bool { BackfillReport.State(rawValue: backfill.state)?.isOpen ?? true }

  /// Asks the daemon for the backfill; `nil` if there is no answer, as while the daemon restarts.
  private func next() throws -> BackfillReport? {
    do {
      let backfills = try connection.attempt(waitForReply: wait) { client in
        try client.call(Control.Backfills(job: backfill.job)).backfills
      }
      silentSince = nil
      guard let report = backfills.first(where: { $0.requestedAt == backfill.requestedAt }) else {
        bar.erase()
        throw fail(
          "timelinectl: error: \(backfill.job): the daemon has no such backfill any more: `timelinectl history \(backfill.job)` shows its runs"
        )
      }
      return report
    } catch let failure as CallFailure {
      if interruption != nil { try leave() }
      let since = silentSince ?? SystemTime.monotonic()
      silentSince = since
      guard failure.status == .unavailable, SystemTime.monotonic() - since < Self.silenceMax else {
        bar.erase()
        throw fail(failure.message, status: failure.status)
      }
      return nil
    }
  }

  /// Shows a change of the state.
  private func take(_ report: BackfillReport) throws {
    let before = backfill
    backfill = report
    if printsJSON {
      if report != before { try Output.print(jsonLine(report)) }
    } else if isOpen, report.state != before.state || report.reason != before.reason {
      bar.erase()
      CurrentProcess.printError(
        "timelinectl: note: \(report.job): the backfill is \(BackfillText.state(of: report))\n")
    }
  }

  /// Waits for the bytes of a reply, at most `limit`. Returns whether they came; a signal ends the wait.
  private func wait(for stream: ByteStream, atMost limit: ElapsedTime) throws -> Bool {
    var isReady = false
    let watch = try loop.watch(stream.rawValue, for: .reading) { _ in isReady = true }
    defer { watch.cancel() }
    _ = loop.run(atMost: limit) { isReady || interruption != nil }
    return isReady && interruption == nil
  }

  /// Ends the program by the signal that ended the wait.
  private func leave() throws -> Never {
    bar.erase()
    CurrentProcess.printError(BackfillText.adviceAfterInterrupt(about: backfill.job))
    signals = nil
    let signal = interruption ?? .interrupt
    raise(signal.rawValue)
    // The signal is ignored, as for a program in the background.
    throw ExitCode(128 + signal.rawValue)
  }
}

/// A line on the terminal with the progress of a backfill.
///
/// The line goes to standard error, and only to a terminal that can erase it, so that no file contains it.
private struct BackfillBar {
  private let isShown = CurrentProcess.errorIsTerminal && CurrentProcess.environment["TERM"] != "dumb"
  private var isWritten = false

  /// Cells of the bar. With its numbers the line fits a terminal of 80 columns.
  private static let width = 20

  /// Shows the progress in place of the line before.
  mutating func show(_ backfill: BackfillReport) {
    guard isShown else { return }
    CurrentProcess.printError("\r\u{1B}[K" + Self.text(of: backfill))
    isWritten = true
  }

  /// Removes the line.
  mutating func erase() {
    if isWritten { CurrentProcess.printError("\r\u{1B}[K") }
    isWritten = false
  }

  /// `[######--------------]  12 of 40, 1 failed, about 3m left`.
  private static func text(of backfill: BackfillReport) -> String {
    let total = max(1, backfill.totalCount)
    let full = min(width, max(0, backfill.doneCount) * width / total)
    let cells = String(repeating: "#", count: full) + String(repeating: "-", count: width - full)
    var parts = [BackfillText.done(of: backfill)]
    if backfill.failedCount > 0 { parts.append("\(backfill.failedCount) failed") }
    if let rest = BackfillText.rest(of: backfill) { parts.append("\(rest) left") }
    if backfill.state != BackfillReport.State.running.rawValue { parts.append("\(backfill.state.printable)") }
    return "[\(cells)]  " + parts.joined(separator: ", ")
  }
}
