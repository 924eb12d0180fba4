internal import CTimelinePlugin

/// The information that a run gets, and the calls by which it answers.
///
/// The values are the run's own and may be kept. The calls may be made from any thread while the run is active; after
/// it they do nothing.
public struct RunContext: Sendable {
  /// The job's name.
  public let job: String
  /// The same for every attempt of one entry: what to hand to others as an idempotence key.
  public let runKey: String
  /// The job's parameters: `with = {...}` in the configuration.
  public let parameters: Parameters
  /// The instant that the schedule names, in nanoseconds since 1970-01-01T00:00:00Z.
  public let nominal: Int64
  /// The instant at which the daemon decided to start, in the same unit.
  public let actual: Int64
  /// The instant at which the run will be asked to stop, in the same unit; `nil` for never.
  public let deadline: Int64?
  /// 1 for the first attempt of a run.
  public let attempt: Int
  /// The number of entries that the run stands for: 1, and one more for each missed entry that it catches up.
  public let entryCount: Int
  /// The rate that the run could expect of the daemon when the attempt was decided: ``Cadence/live`` in normal mode, and as configured
  /// in low-frequency mode.
  public let cadence: Cadence
  /// Whether the daemon was in low-frequency mode when the attempt was decided.
  public let isLowFrequency: Bool
  /// Whether the run's time is not the system's.
  public let isRehearsal: Bool
  /// The result of the job's last attempt that has ended: in a further attempt of a run, the one before it, unless
  /// another run of the job has ended since; `nil` if none has since the daemon was started. Keep in the cursor what
  /// must outlive the daemon.
  public let previous: PreviousRun?
  /// The job's cursor as the last success left it; empty if there is none.
  public let cursor: [UInt8]
  /// The outcome of an entry of another job, for a run that was started because of it; `nil` for any other run.
  ///
  /// An object with the texts `/job`, `/entry`, `/outcome`, `/reason` and `/cause`, the integers
  /// `/attempts` and `/entryCount`, and where they apply the integer `/run` and the texts `/startedAt`, `/endedAt`, `/firstEntry` and
  /// `/output`, the last lines that the run wrote, at most 4 KiB, and of the other job's schedule the texts `/schedule/cron` (five fields)
  /// or `/schedule/calendar` (systemd.time(7)) with `/schedule/zone`, or the integer `/schedule/period` in seconds.
  /// Good until ``TimelinePlugin/run(_:)`` returns.
  public let upstream: Parameters?
  /// In a cluster, the fencing token of the run's entry: higher than that of every earlier entry of the job, on whatever node that ran, and
  /// the same for every attempt; `nil` without a cluster.
  public let fencingToken: Int64?
  let call: HostCall
  let cancellation: Cancellation

  /// The rate at which a run may expect the daemon to keep up.
  public enum Cadence: Int32, Sendable, Hashable, CaseIterable, Comparable {
    /// The full rate of the schedule, several times a second included.
    case live = 0
    /// No more often than about once a second.
    case seconds = 1
    /// No more often than about once a minute.
    case minutes = 2

    /// Orders cadences from the most to the least frequent.
    public static func < (left: Cadence, right: Cadence) -> Bool { left.rawValue < right.rawValue }
  }

  /// The end of the job's previous attempt.
  public struct PreviousRun: Sendable, Hashable {
    /// The results of an attempt.
    public enum Status: Int32, Sendable, Hashable, CaseIterable {
      /// It did what it is there for.
      case succeeded = 0
      /// It did not, and trying again would not help.
      case failed = 1
      /// It did not, and the same again later may well succeed.
      case failedForNow = 2
      /// It stopped because it was asked to.
      case cancelled = 3
    }

    /// The result of the attempt.
    public let status: Status
    /// Its result, or its error; `nil` if it had none.
    public let text: String?
  }
}

extension RunContext {
  /// Writes a line to the log; the daemon adds the job and the run. May block while the daemon is behind.
  public func log(_ message: String, level: LogLevel = .info, fields: KeyValuePairs<String, String> = [:]) {
    call.log(message, level: level, fields: fields)
  }

  /// Writes a line to the log with fields that are not known before the program runs.
  public func log(_ message: String, level: LogLevel = .info, fields: [(key: String, value: String)]) {
    call.log(message, level: level, fields: fields)
  }

  /// Says how far the run is: from 0 to 1, `nil` for "no idea", and a line for people.
  public func report(progress fraction: Double?, _ text: String? = nil) {
    call.report(progress: fraction, text)
  }

  /// Whether the daemon is in low-frequency mode at present.
  public var isLowFrequencyNow: Bool { call.present?.isLowFrequency ?? isLowFrequency }

  /// The rate that the run can expect of the daemon at present.
  public var cadenceNow: Cadence { call.present?.cadence ?? cadence }

  /// Whether the run has been asked to stop; costs a few nanoseconds.
  public var isCancelled: Bool { call.isCancelled }

  /// Throws `CancellationError` if the run has been asked to stop.
  public func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Calls `action` once, on another thread, when the run is asked to stop; at once if it has been already.
  ///
  /// One action at a time: a new one takes the place of the last. It must be quick: wake a waiter, close a socket.
  /// It is let go when the run ends.
  public func whenCancelled(_ action: @escaping @Sendable () -> Void) {
    cancellation.set(action)
  }

  /// Replaces the job's cursor when the run succeeds: up to 16 KiB, stored in one transaction with the run's end and
  /// handed to the next run. Empty removes it. Throws a ``Failure`` when it is longer.
  public func setCursor(_ bytes: [UInt8]) throws {
    guard call.setCursor(bytes) else {
      throw Failure(
        "the new cursor was not taken: it has \(bytes.count) bytes and at most \(TIMELINED_CURSOR_MAX) are "
          + "allowed, keep a place in the work in it and the work elsewhere")
    }
  }
}
