internal import CTimelinePlugin

/// The information that a plugin receives when it is opened for a job.
///
/// ``log(_:level:fields:)`` works during `init`, and has no effect after it. ``parameters`` can be read as long as the
/// plugin's object exists, and must not be read after that.
public struct Opening: Sendable {
  /// The job's name.
  public let job: String
  /// The job's parameters: `with = {...}` in the configuration.
  public let parameters: Parameters
  /// Whether the job runs in a rehearsal, on another clock than the system's.
  public let isRehearsal: Bool
  let call: HostCall

  /// Writes a line to the log; the daemon adds the job.
  public func log(_ message: String, level: LogLevel = .info, fields: KeyValuePairs<String, String> = [:]) {
    call.log(message, level: level, fields: fields)
  }
}

/// The severity of a line of the log.
public enum LogLevel: Int32, Sendable, Hashable, CaseIterable {
  /// Information for the plugin's author.
  case debug = 0
  /// Information for the record.
  case info = 1
  /// A normal event that deserves attention.
  case notice = 2
  /// A problem after which the run goes on.
  case warning = 3
  /// A failure.
  case error = 4
}
