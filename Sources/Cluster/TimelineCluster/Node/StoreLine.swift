import TimelineCore
import TimelineStoreWire

/// The single call that is in flight to the store adapter, and the back-off after a failed call.
struct StoreLine: Sendable, Equatable {
  /// Purpose of a call.
  enum Work: Sendable, Equatable {
    case join, leave, records
    case renew(DigestReport.Part?)
    case release([JobName])
    case activate([String: String])
    case acquire
    /// Outcomes of entries that are not run again, and the watermarks of new jobs.
    case settle(RecordCall)
    case take
    /// Claims for runs without a claim: active runs, and runs that an earlier daemon process left open.
    case reclaim
    case claim
    case withdraw([EntryKey])
    case publish([PublishedClaim])
    case pause(PauseCall)
  }

  /// A call that has not been answered.
  struct Flight: Sendable, Equatable {
    let number: UInt64
    let work: Work
    let sent: NodeTime
    /// Timeout of the call.
    let deadline: BootInstant
  }

  private(set) var flight: Flight?
  private var lastNumber: UInt64 = 0
  private var retryAt: BootInstant?
  /// Whether the last call failed.
  private(set) var isBroken = false

  /// Whether a call may be sent.
  func isFree(at now: BootInstant) -> Bool { flight == nil && retryAt.map { $0 <= now } ?? true }

  /// Begins a call. Returns its number.
  mutating func begin(_ work: Work, at now: NodeTime, _ timing: ClusterTiming) -> UInt64 {
    lastNumber += 1
    retryAt = nil
    flight = Flight(number: lastNumber, work: work, sent: now, deadline: now.boot + timing.call)
    return lastNumber
  }

  /// Ends the call with this number and returns it; `nil` if the call was given up before.
  mutating func end(_ number: UInt64) -> Flight? {
    guard flight?.number == number else { return nil }
    defer { flight = nil }
    return flight
  }

  /// Gives up a late call. Returns whether there was one.
  mutating func giveUpLate(at now: BootInstant, _ timing: ClusterTiming) -> Bool {
    guard let flight, flight.deadline <= now else { return false }
    self.flight = nil
    fail(at: now, timing)
    return true
  }

  /// Begins the back-off after a failed call.
  mutating func fail(at now: BootInstant, _ timing: ClusterTiming) {
    retryAt = now + timing.retry
    isBroken = true
  }

  /// Marks the line as working after a successful call.
  mutating func succeed() { isBroken = false }

  /// Instant of the timeout or of the next attempt; `nil` for none.
  var deadline: BootInstant? { flight?.deadline ?? retryAt }
}
