/// One nominal instant of one job: the key of each claim, run and outcome.
package struct EntryKey: Sendable, Hashable {
  package var job: JobName
  /// Nominal instant; for a manual trigger the instant of the request.
  package var nominal: WallInstant
  /// Position of the job in the engine that made the key.
  package var jobSlot: JobSlot

  /// Makes a key. A key that does not come from an engine has no slot.
  // Keys are made for each entry, in the engine's module.
  @inlinable
  package init(job: JobName, nominal: WallInstant, jobSlot: JobSlot = .unknown) {
    self.job = job
    self.nominal = nominal
    self.jobSlot = jobSlot
  }
}

/// Position of a job in an engine. It finds data about a job without a look-up by name.
///
/// Positions count from 0 in the order of the configuration that the engine was made or last reloaded with. Jobs that are kept
/// only for their runs come after them. A position is valid until the engine's next event that reloads jobs, takes jobs over or
/// hands jobs over. The effects of this event may have positions from before or after the event. Compare the names there, which
/// is cheap.
///
/// The position is a shortcut and not a part of the key's identity: all positions are equal.
package struct JobSlot: Sendable, Hashable {
  /// Number from 0; -1 if unknown.
  package var number: Int32

  /// Unknown position.
  package static let unknown = JobSlot(number: -1)

  package init(number: Int32) {
    self.number = number
  }

  /// The number as an index; `nil` if unknown.
  package var index: Int? { number < 0 ? nil : Int(number) }

  /// Always true: keys of one entry are equal, regardless of their source.
  @inlinable
  package static func == (left: JobSlot, right: JobSlot) -> Bool { true }

  /// Hashes nothing, because all positions are equal.
  @inlinable
  package func hash(into hasher: inout Hasher) {}
}
