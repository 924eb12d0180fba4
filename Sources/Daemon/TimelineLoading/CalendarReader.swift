package import TimelineConfiguration
import TimelineCore
import TimelineSystem

/// Reads iCalendar files with the program `timeline-calendar`, so that this process does not load the program's
/// libraries. The program's process has no rights that the author of a file could use.
package struct CalendarReader {
  /// Path of the program.
  let path: String
  /// The list that contains the program's process while it runs.
  let children: OwnChildren

  /// Time limit for a file: a hundred times the time for the largest known calendar.
  private static let timeout = ElapsedTime.seconds(10)
  /// Largest output that is read: the maximum number of occurrences that the program writes, each with a long name.
  private static let outputMax = 4 << 20

  /// Returns the program's output for a file. Repeated events are expanded for `years`.
  package func lines(of file: [UInt8], years: ClosedRange<Int>) -> Result<[UInt8], FileRefusal> {
    let output: [UInt8]
    let end: ProcessEnd
    do throws(SystemError) {
      (output, end) = try FilterProcess.run(
        executable: path, arguments: ["\(years.lowerBound)", "\(years.upperBound)"], input: file,
        outputMax: Self.outputMax, timeout: Self.timeout, among: children)
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
