internal import CTimelinePlugin

/// The information that a run receives, and the calls with which it reports.
///
/// The values belong to the run and may be stored. The calls may be made from any thread while the run is active; after the
/// run they have no effect.
public struct RunContext: Sendable {
  /// The job's name.
  public let job: String
  /// The run key, the same for every attempt of one entry; an idempotency key for other systems.
  public let runKey: String
  /// The job's parameters: `with = {...}` in the configuration.
  public let parameters: Parameters
  /// The nominal time of the entry, in nanoseconds since 1970-01-01T00:00:00Z.
  public let nominal: Int64
  /// The instant at which the daemon decided to start the attempt, in the same unit.
  public let actual: Int64
  /// The instant at which the run will be asked to stop, in the same unit; `nil` for no deadline.
  public let deadline: Int64?
  /// The number of the attempt, 1 for the first.
  public let attempt: Int
  /// The number of entries that the run stands for: 1, and one more for each missed entry that it catches up.
  public let entryCount: Int
  /// The rate of updates that the run could expect when the attempt was decided: ``Cadence/live`` in normal mode, and the
  /// configured cadence in low-frequency mode.
  public let cadence: Cadence
  /// Whether the daemon was in low-frequency mode when the attempt was decided.
  public let isLowFrequency: Bool
  /// Whether the run belongs to a rehearsal, on another clock than the system's.
  public let isRehearsal: Bool
  /// The result of the job's last attempt that has ended. In a retry this is the attempt before it, unless another run of
  /// the job has ended since. `nil` if no attempt has ended since the daemon was started. Data that must survive the daemon
  /// belongs in the cursor.
  public let previous: PreviousRun?
  /// The job's cursor from its last success; empty if there is none.
  public let cursor: [UInt8]
  /// The outcome of an entry of another job, if the run is a reaction to that entry; otherwise `nil`.
  ///
  /// An object with the texts `/job`, `/entry`, `/outcome`, `/reason` and `/cause`, and the integers `/attempts` and
  /// `/entryCount`. Where they apply, it has the integer `/run` and the texts `/startedAt`, `/endedAt`, `/firstEntry` and
  /// `/output`, the last lines of the run's output, at most 4 KiB. For the other job's schedule it has the texts
  /// `/schedule/cron` (five fields) or `/schedule/calendar` (systemd.time(7)) with `/schedule/zone`, or the integer
  /// `/schedule/period` in seconds. Valid until ``TimelinePlugin/run(_:)`` returns.
  public let upstream: Parameters?
  /// The fencing token of the run's entry in a cluster: higher than the tokens of all earlier entries of the job on any
  /// node, and the same for every attempt; `nil` without a cluster.
  public let fencingToken: Int64?
  /// The instants, ascending, from which windows and holidays have moved entries to this one, in nanoseconds since
  /// 1970-01-01T00:00:00Z; empty for an entry that did not move.
  public let movedFrom: [Int64]
  let call: HostCall
  let cancellation: Cancellation

  /// The rate of updates that a run can expect.
  public enum Cadence: Int32, Sendable, Hashable, CaseIterable, Comparable {
    /// The full rate of the schedule, including several times a second.
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
      /// The attempt succeeded.
      case succeeded = 0
      /// The attempt failed, and a retry would not help.
      case failed = 1
      /// The attempt failed, and a later retry may succeed.
      case failedForNow = 2
      /// The attempt stopped because it was asked to.
      case cancelled = 3
    }

    /// The result of the attempt.
    public let status: Status
    /// The result or the error of the attempt; `nil` if it had none.
    public let text: String?
  }
}

extension RunContext {
  /// Writes a line to the log; the daemon adds the job and the run. May block while the daemon is behind.
  public func log(_ message: String, level: LogLevel = .info, fields: KeyValuePairs<String, String> = [:]) {
    call.log(message, level: level, fields: fields)
  }

  /// Writes a line to the log, with fields whose keys are not known at compile time.
  public func log(_ message: String, level: LogLevel = .info, fields: [(key: String, value: String)]) {
    call.log(message, level: level, fields: fields)
  }

  /// Reports the progress of the run: a fraction from 0 to 1, `nil` if unknown, and a line for operators.
  public func report(progress fraction: Double?, _ text: String? = nil) {
    call.report(progress: fraction, text)
  }

  /// Whether the daemon is in low-frequency mode at present.
  public var isLowFrequencyNow: Bool { call.present?.isLowFrequency ?? isLowFrequency }

  /// The rate of updates that the run can expect at present.
  public var cadenceNow: Cadence { call.present?.cadence ?? cadence }

  /// Whether the run has been asked to stop. A check takes a few nanoseconds.
  public var isCancelled: Bool { call.isCancelled }

  /// Throws `CancellationError` if the run has been asked to stop.
  public func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }

  /// Calls `action` once, on another thread, when the run is asked to stop. If it has already been asked, calls `action` at
  /// once.
  ///
  /// There is one action at a time: a new action replaces the last. It must be quick, for example wake a waiter or close a
  /// socket. It is released when the run ends.
  public func whenCancelled(_ action: @escaping @Sendable () -> Void) {
    cancellation.set(action)
  }

  /// Replaces the job's cursor when the run succeeds. The cursor has up to 16 KiB, is stored in one transaction with the
  /// run's end and passed to the next run. An empty cursor removes it. Throws a ``Failure`` if `bytes` is longer.
  public func setCursor(_ bytes: [UInt8]) throws {
    guard call.setCursor(bytes) else {
      throw Failure(
        "the new cursor was not taken: it has \(bytes.count) bytes and at most \(TIMELINED_CURSOR_MAX) are "
          + "allowed, keep a place in the work in it and the work elsewhere")
    }
  }
}
