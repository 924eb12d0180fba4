package import TimelineCore

/// One nominal instant of one job: the key of each claim, run and outcome.
package struct EntryKey: Sendable, Hashable {
  /// The job.
  package var job: JobName
  /// The nominal instant; for a manual trigger the instant of the request.
  package var nominal: WallInstant
  /// Position of the job in the engine that made the key.
  package var jobSlot: JobSlot

  /// Makes a key; a key that does not come from an engine has no slot.
  package init(job: JobName, nominal: WallInstant, jobSlot: JobSlot = .unknown) {
    self.job = job
    self.nominal = nominal
    self.jobSlot = jobSlot
  }
}

/// Position of a job in an engine. It finds data about a job without a look-up by name.
///
/// Positions count from 0 in the order of the configuration that the engine was made or last reloaded with. Jobs that are kept
/// only for their runs come after them. A position is valid until the next ``EngineEvent/reload(_:groups:)``,
/// ``EngineEvent/takeOver(_:among:)`` or ``EngineEvent/handOver(_:isGivenUp:)``. The effects of that event may have positions
/// from before it or from after it: compare the names there, which is cheap.
///
/// It is a shortcut and not a part of the key's identity: all positions are equal.
package struct JobSlot: Sendable, Hashable {
  /// The number from 0; -1 when it is not known.
  package var number: Int32

  /// Position that is not known.
  package static let unknown = JobSlot(number: -1)

  /// Makes the position of the job that stands at `number`.
  package init(number: Int32) {
    self.number = number
  }

  /// The number as an index, or `nil` when it is not known.
  package var index: Int? { number < 0 ? nil : Int(number) }

  /// Always true: keys of one entry are equal wherever they come from.
  package static func == (left: JobSlot, right: JobSlot) -> Bool { true }

  /// Hashes nothing, because all positions are equal.
  package func hash(into hasher: inout Hasher) {}
}

/// The number of a run, unique for the life of an engine, ascending from 1.
package struct RunID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number.
  package var number: UInt64

  /// Makes the identifier of run `number`.
  package init(number: UInt64) {
    self.number = number
  }

  /// The number in decimal.
  package var description: String { String(number) }

  /// Orders runs by their creation.
  package static func < (left: RunID, right: RunID) -> Bool { left.number < right.number }
}
