import Synchronization
import TimelineClient
import TimelineControl
import TimelineCore
import TimelineRehearsal
import TimelineSystem

/// Rehearses the daemon's jobs for pages: reads the daemon's state, and simulates from there.
final class RehearsalStage: Sendable {
  private let page: DaemonPage
  private let clock: @Sendable () -> MonotonicInstant
  private let book = Mutex(Rehearsals())

  init(_ page: DaemonPage, clock: @escaping @Sendable () -> MonotonicInstant) {
    self.page = page
    self.clock = clock
  }

  /// The requested part of a rehearsal, as JSON text.
  func window(_ query: RehearsalQuery) throws(FailedCall) -> String {
    var rehearsal = try rehearsal(at: query.start)
    let length = query.window.length ?? rehearsal.usualLength
    let now = query.now ?? rehearsal.start
    // The window has a little of the past, and more of the future.
    let lead = ElapsedTime(nanoseconds: length.nanoseconds / 10)
    let from = min(max(query.window.from ?? now - lead, .min + length), .max - length - length)
    let until = from + length
    let limit = clock() + WebLimits.rehearsalTimeMax
    // Simulates half a window more, because an entry that waits at the end of the window is known only once it
    // starts.
    let reached = rehearsal.simulate(
      from: from, to: until + ElapsedTime(nanoseconds: length.nanoseconds / 2)
    ) { clock() >= limit }
    book.withLock { $0.keep(rehearsal) }
    let picture = RehearsalPicture(
      rehearsal, scale: DrawingScale(from: from, until: until, columns: query.window.columns), now: now,
      filter: JobFilter(query.window.filter))
    let knownUntil = reached.flatMap { $0 < until ? $0 : nil }
    return RehearsalText(picture: picture, knownUntil: knownUntil, machine: page.machine).json
  }

  /// The rehearsal that begins at an instant, or now.
  private func rehearsal(at instant: WallInstant?) throws(FailedCall) -> Rehearsal {
    if let instant, let known = book.withLock({ $0.rehearsal(at: instant) }) { return known }
    let (status, jobs, future) = try page.mirror.present()
    guard let future, let made = Rehearsal(status, jobs, future, at: instant, zone: page.zone) else {
      throw FailedCall(
        message: "no rehearsal: the configuration cannot be read: \(future?.source ?? status.configuration)",
        isRefusal: true)
    }
    return made
  }
}
