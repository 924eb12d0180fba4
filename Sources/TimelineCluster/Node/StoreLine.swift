import TimelineCore
import TimelineStoreWire

/// The one call that the store adapter has at a time, and the pause after a failed one.
struct StoreLine: Sendable, Hashable {
  /// Purpose of a call.
  enum Work: Sendable, Hashable {
    case join, leave, records
    case renew(DigestReport.Part?)
    case release([String])
    case activate([String: String])
    case acquire
    /// Outcomes of entries that are not run again, and the begin of new jobs.
    case settle(RecordCall)
    case take
    /// Claims of runs that are active or were left open by an earlier life of the daemon, and that have none.
    case reclaim
    case claim
    case withdraw([StoredKey])
    case publish([PublishCall.Claim])
    case pause(PauseCall)
  }

  /// A call that has not been answered.
  struct Flight: Sendable, Hashable {
    let number: UInt64
    let work: Work
    let sent: NodeTime
    /// Instant by which it must be answered.
    let deadline: BootInstant
  }

  private(set) var flight: Flight?
  private var lastNumber: UInt64 = 0
  private var retryAt: BootInstant?
  /// Whether the last call failed.
  private(set) var isBroken = false

  /// Whether a call may be sent.
  func isFree(at now: BootInstant) -> Bool { flight == nil && retryAt.map { $0 <= now } ?? true }

  /// Begins a call, and returns its number.
  mutating func begin(_ work: Work, at now: NodeTime, _ timing: ClusterTiming) -> UInt64 {
    lastNumber += 1
    retryAt = nil
    flight = Flight(number: lastNumber, work: work, sent: now, deadline: now.boot + timing.call)
    return lastNumber
  }

  /// Ends the call with this number, and returns it; `nil` if it was given up before.
  mutating func end(_ number: UInt64) -> Flight? {
    guard flight?.number == number else { return nil }
    defer { flight = nil }
    return flight
  }

  /// Gives the call up if it is late; returns whether it was.
  mutating func giveUpLate(at now: BootInstant, _ timing: ClusterTiming) -> Bool {
    guard let flight, flight.deadline <= now else { return false }
    self.flight = nil
    fail(at: now, timing)
    return true
  }

  /// Takes in that a call failed.
  mutating func fail(at now: BootInstant, _ timing: ClusterTiming) {
    retryAt = now + timing.retry
    isBroken = true
  }

  /// Takes in that a call succeeded.
  mutating func succeed() { isBroken = false }

  /// Instant at which something is to be done about the line; `nil` for none.
  var deadline: BootInstant? { flight?.deadline ?? retryAt }
}
