package import TimelineConfiguration
import TimelineCore
import TimelineSystem

/// Has the program `timeline-calendar` read iCalendar files: the library that it is linked with, and what that brings along, stays out
/// of this process, and whoever wrote the file has no rights in that one.
package struct CalendarReader {
  /// The path of the program.
  let path: String
  /// The list in which the process is while it runs.
  let children: OwnChildren

  /// The longest time that a file may take: a hundred times that of the largest calendar seen.
  private static let timeout = ElapsedTime.seconds(10)
  /// The most that is read: as many occurrences as the program writes at most, each with a long name.
  private static let outputMax = 4 << 20

  /// The program's lines for a file, with what repeats in `years`.
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
    // A file that is refused has one line, which says why.
    case .exited(0), .exited(1): return .success(output)
    case .exited, .signalled, .unobserved:
      return .failure(FileRefusal(reason: "\(path), which reads calendars, \(end)"))
    }
  }
}
