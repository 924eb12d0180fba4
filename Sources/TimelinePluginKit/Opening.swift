internal import CTimelinePlugin

/// The information that a plugin gets when it is opened for a job.
///
/// ``log(_:level:fields:)`` works for the duration of `init`; after it, it does nothing. ``parameters`` can be read
/// as long as the plugin's object lives, and must not be read after that.
public struct Opening: Sendable {
  /// The job's name.
  public let job: String
  /// The job's parameters: `with = {...}` in the configuration.
  public let parameters: Parameters
  /// Whether the job's time is not the system's.
  public let isRehearsal: Bool
  let call: HostCall

  /// Writes a line to the log; the daemon adds the job.
  public func log(_ message: String, level: LogLevel = .info, fields: KeyValuePairs<String, String> = [:]) {
    call.log(message, level: level, fields: fields)
  }
}

/// The severity of a line of the log.
public enum LogLevel: Int32, Sendable, Hashable, CaseIterable {
  /// For the plugin's author.
  case debug = 0
  /// For the record.
  case info = 1
  /// Normal but worth seeing.
  case notice = 2
  /// Not as it should be, carrying on.
  case warning = 3
  /// Something failed.
  case error = 4
}
