package import TimelineClient
import TimelineControl
package import TimelineCore
import TimelineMonitoring
import TimelineRehearsal
package import TimelineSystem

/// The contents of all pages about one daemon.
package final class DaemonPage: Sendable {
  private let source: any DaemonSource
  /// The state of the daemon.
  package let mirror: DaemonMirror
  private let clock: @Sendable () -> MonotonicInstant
  /// Returns the zone called `name`; the machine's zone for `nil`.
  let zone: @Sendable (String?) -> Zone
  /// The machine's name as shown on the page.
  let machine: String

  /// Maximum attempts to draw one window. If the daemon restarts meanwhile, the window is read again.
  private static let attemptsMax = 3

  package init(
    of source: any DaemonSource, machine: String, clock: @escaping @Sendable () -> MonotonicInstant,
    zone: @escaping @Sendable (String?) -> Zone
  ) {
    self.source = source
    mirror = DaemonMirror(of: source, clock: clock)
    self.machine = machine
    self.clock = clock
    self.zone = zone
  }

  /// The window of a query as JSON text.
  func window(_ query: WindowQuery) throws(FailedCall) -> String {
    // The state may be discarded meanwhile: when the event connection to the daemon ends or starts again.
    for _ in 0..<Self.attemptsMax {
      try mirror.refresh()
      let (from, length) = mirror.withState { Self.extent(of: query, in: $0, at: clock()) }
      try readHistory(downTo: from - .nanoseconds(length.nanoseconds / 2))
      if mirror.readCluster(downTo: from) {
        while mirror.readOlderCluster(downTo: from) {}
      }
      if let text = drawn(query, from: from, until: from + length) { return text }
    }
    throw FailedCall(message: "timelined has just ended or begun: try again", isRefusal: false)
  }

  /// Reads older entries, at most ``WebLimits/historyPagesMax`` pages.
  private func readHistory(downTo instant: WallInstant) throws(FailedCall) {
    for _ in 0..<WebLimits.historyPagesMax {
      guard try mirror.readPage(downTo: instant) else { return }
    }
  }

  /// Draws the known part of the window; `nil` without a status.
  private func drawn(_ query: WindowQuery, from: WallInstant, until: WallInstant) -> String? {
    mirror.withState { state in
      guard let status = state.status else { return nil }
      let now = state.now(at: clock())
      let knownUntil = state.simulate(to: until)
      let window = WindowPicture(
        state, scale: DrawingScale(from: from, until: until, columns: query.columns), now: now,
        filter: JobFilter(query.filter), zone: zone)
      let knownFrom = state.archive.knownFrom.flatMap { $0 > from ? $0 : nil }
      let goesOn = knownUntil != nil && state.future?.simulation?.book.isFull == false
      return WindowText(
        window: window, status: status, futureSource: state.future?.source ?? "", knownFrom: knownFrom,
        knownUntil: knownUntil, isPartial: state.archive.lacks(from) || goesOn, machine: machine,
        cluster: state.cluster
      ).json
    }
  }

  /// The explanation of an entry as JSON text.
  func story(job: String, moment: String) throws(FailedCall) -> String {
    let reply = try source.call(Control.Why(job: job, moment: moment))
    return StoryText(story: source.explanation(of: reply, in: zone(reply.zone))).json
  }

  /// The metrics of the daemon and its jobs.
  func metrics() throws(FailedCall) -> MetricsReply {
    try source.call(Control.Metrics())
  }

  /// The verdict on the daemon.
  func health() throws(FailedCall) -> Health {
    let (status, metrics) = try source.call { client throws(VarlinkClientError) in
      (try client.call(Control.Status()), try client.call(Control.Metrics()))
    }
    return Health(status, metrics, isClockSynchronized: SystemTime.isWallClockSynchronized) { "\($0)" }
  }

  /// Makes a change, and returns what has happened, in words.
  func perform(_ change: WebChange) throws(FailedCall) -> String {
    try source.call { client throws(VarlinkClientError) in try change.perform(by: client) }
  }

  /// Begin and length of the requested window.
  private static func extent(
    of query: WindowQuery, in state: borrowing MirrorState, at instant: MonotonicInstant
  ) -> (from: WallInstant, length: ElapsedTime) {
    let length = query.length ?? Self.length(showing: state.future)
    // More room for future entries than for past ones.
    let lead = ElapsedTime(nanoseconds: length.nanoseconds / 5 * 2)
    let latest = WallInstant.max - length
    return (min(max(query.from ?? state.now(at: instant) - lead, .min + length), latest), length)
  }

  /// Default length of a window: it shows a few entries of most jobs.
  static func length(showing future: FutureEntries?) -> ElapsedTime {
    let usual = future?.usualLength ?? .days(1)
    return lengths.first { $0 >= usual } ?? lengths[lengths.count - 1]
  }

  /// Default lengths of a window.
  private static let lengths: [ElapsedTime] =
    [.minutes(1), .minutes(5), .minutes(10), .minutes(30)]
    + [1, 3, 6, 12].map { .hours($0) } + [1, 2, 7, 14, 30].map { .days($0) }
}
