internal import CTimelinePlugin

/// What a plugin is told when it is to serve a job.
///
/// ``log(_:level:fields:)`` is good for the duration of `init`; after it, it does nothing. ``parameters`` can be asked for as long
/// as the plugin's object lives, and must not be after that.
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

/// How much a line of the log matters.
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
