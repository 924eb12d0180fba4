package import TimelineCore

/// Whether a thread that waits for an answer stays awake for it and looks again and again, or goes to sleep.
///
/// To wake up takes longer than many a plugin does, and finds less in the processor's caches. To stay awake is worth it for what is
/// answered at once, and only while the other process has a processor of its own: where it has none, this thread is in its way.
/// So this thread leaves the one that they share, if it is told: the kernel of a virtual machine takes a processor that sleeps for
/// one that is busy, and puts who is woken on that of who wakes them. Where it cannot leave, it sleeps. And after a time in vain it
/// stays awake more and more rarely, and for no more than a small part of each second in all.
package struct Wakefulness: Sendable {
  /// The longest time for one answer: what a process takes to wake up and to do next to nothing.
  package static let timeMax = ElapsedTime.microseconds(100)
  /// The longest time after many times in vain: what an answer takes of a process that is awake. Where the other process is kept from
  /// answering by this one, its answer is late by no more than that.
  package static let timeAgainMax = ElapsedTime.microseconds(50)
  /// The longest time for an answer that is promised, if none was awaited in vain of late: one that is held up by a transaction. Who
  /// goes to sleep meanwhile is late for the one after it as well.
  package static let timePromisedMax = ElapsedTime.milliseconds(2)
  /// The time in a second, but for the last answer of it: 2 % of one processor.
  package static let timePerSecond = ElapsedTime.milliseconds(20)
  /// The number of answers slept for from which on it counts as many times in vain.
  static let sleptForMany = 8
  /// The number of answers for which the thread sleeps after many waits in vain, before it stays awake again.
  package static let sleptForMax = 256

  private let clock: @Sendable () -> MonotonicInstant
  private let leave: @Sendable (Processor) -> Bool
  /// The number of answers to sleep for after a wait in vain, and the rest of them.
  private var toSleepFor = 0
  private var leftToSleepFor = 0
  /// The start of the second in which time is counted, and the time spent in it.
  private var since: MonotonicInstant?
  private var spent = ElapsedTime.zero

  /// Makes one that has never been awake in vain; `clock` tells how long that is, and `leave` leaves a processor if the thread is
  /// on it and tells whether it is on another one then.
  package init(
    clock: @escaping @Sendable () -> MonotonicInstant = SystemTime.monotonic,
    leave: @escaping @Sendable (Processor) -> Bool = { $0.leave() }
  ) {
    self.clock = clock
    self.leave = leave
  }

  /// Calls `look` again and again until it finds something, for at most `limit`; `nil` for what is to be slept for.
  ///
  /// It leaves `processor` for that, which is where the other process is, if that is known, and takes longer for what `isPromised`.
  package mutating func stay<Found>(
    atMost limit: ElapsedTime = timePromisedMax, besides processor: Processor? = nil,
    isPromised: Bool = false,
    _ look: () -> Found?
  ) -> Found? {
    let start = clock()
    guard mayStay(at: start) else { return nil }
    let isAlone = processor.map(leave) ?? true
    let begin = processor == nil ? start : clock()
    let time = min(limit, longest(isPromised: isPromised))
    var now = begin
    var found: Found?
    if isAlone {
      repeat {
        found = look()
        now = clock()
      } while found == nil && now - begin < time
    }
    spent = spent + (now - start)
    toSleepFor = found == nil ? min(max(1, toSleepFor * 2), Self.sleptForMax) : toSleepFor / 2
    leftToSleepFor = toSleepFor
    return found
  }

  private func longest(isPromised: Bool) -> ElapsedTime {
    if isPromised, toSleepFor == 0 { return Self.timePromisedMax }
    return toSleepFor < Self.sleptForMany ? Self.timeMax : Self.timeAgainMax
  }

  private mutating func mayStay(at now: MonotonicInstant) -> Bool {
    if since.map({ now - $0 >= .seconds(1) }) ?? true { (since, spent) = (now, .zero) }
    guard spent < Self.timePerSecond else { return false }
    guard leftToSleepFor == 0 else {
      leftToSleepFor -= 1
      return false
    }
    return true
  }
}
