package import TimelineConfiguration
import TimelineCore
package import TimelineSystem

/// Reads iCalendar files with the program `timeline-calendar`, so that this process does not load the program's
/// libraries. The program's process has no rights that the author of a file could use.
package struct CalendarReader {
  /// Path of the program.
  let path: String
  /// The list that contains the program's process while it runs.
  let children: OwnChildren

  package init(path: String, children: OwnChildren = OwnChildren()) {
    (self.path, self.children) = (path, children)
  }

  /// Time limit for a file: a hundred times the time for the largest known calendar.
  private static let timeout = ElapsedTime.seconds(10)
  /// Largest output that is read: the maximum number of occurrences that the program writes, each with a long name.
  private static let outputMax = 4 << 20
  /// Time limit for the events of a file with the times of their rules: the program's own limit is 20 s of the processor.
  private static let seriesTimeout = ElapsedTime.seconds(60)
  /// Largest output with the events of a file: the program's own limit.
  private static let seriesOutputMax = 32 << 20

  /// Returns the program's output for a file. Repeated events are expanded for `years`.
  package func lines(of file: [UInt8], years: ClosedRange<Int>) -> Result<[UInt8], FileRefusal> {
    output(
      for: file, ["\(years.lowerBound)", "\(years.upperBound)"], atMost: Self.outputMax, within: Self.timeout)
  }

  /// Returns the program's output for the events of a file as they are written.
  ///
  /// - Parameter times: The seconds on the clocks of the events between which libical expands the rules; `nil` for no expansion.
  package func series(
    of file: [UInt8], expandedFor times: ClosedRange<Int>? = nil
  ) -> Result<[UInt8], FileRefusal> {
    output(
      for: file, ["series", "\(times?.lowerBound ?? 0)", "\(times?.upperBound ?? 0)"],
      atMost: Self.seriesOutputMax, within: Self.seriesTimeout)
  }

  private func output(
    for file: [UInt8], _ arguments: [String], atMost outputMax: Int, within timeout: ElapsedTime
  ) -> Result<[UInt8], FileRefusal> {
    let output: [UInt8]
    let end: ProcessEnd
    do throws(SystemError) {
      (output, end) = try FilterProcess.run(
        executable: path, arguments: arguments, input: file, outputMax: outputMax, timeout: timeout,
        among: children)
    } catch {
      guard error.isMissing else { return .failure(FileRefusal(reason: error.description)) }
      return .failure(
        FileRefusal(
          reason: "\(path), which reads calendars, is not there: install timelined as a whole"))
    }
    switch end {
    // For a refused file, the output is one line with the reason.
    case .exited(0), .exited(1): return .success(output)
    case .exited, .signalled, .unobserved:
      return .failure(FileRefusal(reason: "\(path), which reads calendars, \(end)"))
    }
  }
}
