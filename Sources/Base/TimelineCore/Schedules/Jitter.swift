/// The delay of a run, so that jobs with entries at the same instant do not all start together: a hash, not a random number.
public enum Jitter {
  /// Returns the delay: from zero to `bound`, and less than `gapToNext`, the time to the job's next entry, so that
  /// entries keep their order.
  ///
  /// The same job, machine seed and nominal instant always have the same delay, on every machine with that seed; the
  /// nominal instant still identifies the entry. The delay is zero for a negative bound and for a negative gap.
  public static func offset(
    job: JobName, seed: UInt64, nominal: WallInstant, bound: ElapsedTime, gapToNext: ElapsedTime?
  ) -> ElapsedTime {
    let most = min(bound, room(before: gapToNext))
    return length(of: job, seed, UInt64(bitPattern: nominal.nanosecondsSinceEpoch), upTo: most)
  }

  /// Returns a delay that is the same for every entry of a job on all machines with the same seed: from zero to `bound`, but
  /// less than `gapToNext`.
  public static func fixedOffset(
    job: JobName, seed: UInt64, bound: ElapsedTime, gapToNext: ElapsedTime?
  ) -> ElapsedTime {
    // Computed from the bound alone, so that a short gap changes only that entry.
    max(.zero, min(length(of: job, seed, 0x6F66_6673_6574, upTo: bound), room(before: gapToNext)))
  }

  private static func room(before gap: ElapsedTime?) -> ElapsedTime {
    gap.map { $0 - .nanoseconds(1) } ?? .max
  }

  private static func length(of job: JobName, _ seed: UInt64, _ number: UInt64, upTo most: ElapsedTime)
    -> ElapsedTime
  {
    guard most > .zero else { return .zero }
    var name = StableHash()
    name.combine(bytesOf: job.text)
    let hash = mixed(mixed(name.digest ^ seed) ^ number)
    // The high half of the product is uniform from 0 to `most` and needs no division.
    return .nanoseconds(Int64(hash.multipliedFullWidth(by: UInt64(most.nanoseconds) + 1).high))
  }

  /// Returns the next number of SplitMix64.
  private static func mixed(_ value: UInt64) -> UInt64 { StableHash.spread(value &+ 0x9E37_79B9_7F4A_7C15) }
}

/// The precision with which a job's entries start.
public struct ScheduleTiming: Sendable, Hashable {
  /// The maximum delay of an entry (``Jitter``); zero for none.
  public var jitter: ElapsedTime
  /// Whether all entries of a job have the same delay on one machine, within ``jitter``.
  public var hasFixedOffset: Bool
  /// The time within which the wake-up for an entry may be delayed to share it with others; zero for none.
  public var accuracy: ElapsedTime

  /// Makes a timing; without arguments entries start at their nominal instants.
  public init(jitter: ElapsedTime = .zero, hasFixedOffset: Bool = false, accuracy: ElapsedTime = .zero) {
    self.jitter = jitter
    self.hasFixedOffset = hasFixedOffset
    self.accuracy = accuracy
  }

  /// Whether every entry is to start at its nominal instant.
  public var isExact: Bool { jitter <= .zero && accuracy <= .zero }

  /// Returns the start of the entry at `nominal`: at or after it, and before `next`, the entry that follows it.
  ///
  /// The jitter is applied first. Then the start is delayed to the next whole multiple of the accuracy since 1970, so that
  /// entries of any jobs whose accuracies divide one another share their wake-ups; each delay is less than the accuracy.
  /// If the start would not be before the next entry, it stays at its jittered instant.
  public func start(
    of job: JobName, seed: UInt64, nominal: WallInstant, next: WallInstant?
  ) -> WallInstant {
    let gap = next.map { $0 - nominal }
    let offset =
      hasFixedOffset
      ? Jitter.fixedOffset(job: job, seed: seed, bound: jitter, gapToNext: gap)
      : Jitter.offset(job: job, seed: seed, nominal: nominal, bound: jitter, gapToNext: gap)
    return shared(nominal + offset, next: next)
  }

  /// Returns the earliest and the latest start of the entry at `nominal`, for any job and any machine.
  public func starts(of nominal: WallInstant, next: WallInstant?) -> ClosedRange<WallInstant> {
    let gap = next.map { $0 - nominal - .nanoseconds(1) } ?? .max
    let most = max(.zero, min(jitter, gap))
    return shared(nominal, next: next)...shared(nominal + most, next: next)
  }

  /// Returns the start after the accuracy is applied to a jittered start. A later jittered start has no earlier result, unless
  /// the multiple after both starts is too late for either.
  private func shared(_ jittered: WallInstant, next: WallInstant?) -> WallInstant {
    guard accuracy > .zero else { return jittered }
    let unit = accuracy.nanoseconds
    let slots = jittered.nanosecondsSinceEpoch.flooredQuotient(by: unit)
    let past = jittered.nanosecondsSinceEpoch - slots * unit
    let shared = past == 0 ? jittered : jittered + .nanoseconds(unit - past)
    return next.map { shared < $0 } ?? true ? shared : jittered
  }
}
