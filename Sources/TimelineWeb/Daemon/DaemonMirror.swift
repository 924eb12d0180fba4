import Synchronization
import TimelineClient
package import TimelineControl
package import TimelineCore
import TimelineMonitoring
import TimelineRehearsal
package import TimelineSystem

/// The state of a daemon, shared by all pages. Events keep the state up to date. An old state is read again from the
/// daemon.
package final class DaemonMirror: Sendable {
  private let source: any DaemonSource
  private let picture = Mutex(DaemonPicture())
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
    self.machine = machine
    self.clock = clock
    self.zone = zone
  }

  /// Handles an event of the daemon.
  package func take(_ event: WatchReply) { picture.withLock { $0.take(event, at: clock()) } }

  /// Discards the state, because the daemon no longer answers.
  package func forget() { picture.withLock { $0.forget() } }

  /// The window of a query as JSON text.
  func window(_ query: WindowQuery) throws(FailedCall) -> String {
    // The state may be discarded meanwhile: when the event connection to the daemon ends or starts again.
    for _ in 0..<Self.attemptsMax {
      try refresh()
      let (from, length) = picture.withLock { Self.extent(of: query, in: $0, at: clock()) }
      try readHistory(downTo: from - .nanoseconds(length.nanoseconds / 2))
      readCluster(downTo: from)
      if let text = drawn(query, from: from, until: from + length) { return text }
    }
    throw FailedCall(message: "timelined has just ended or begun: try again", isRefusal: false)
  }

  /// Draws the known part of the window; `nil` without a status.
  private func drawn(_ query: WindowQuery, from: WallInstant, until: WallInstant) -> String? {
    picture.withLock { picture in
      guard let status = picture.status else { return nil }
      let now = picture.now(at: clock())
      let knownUntil = picture.simulate(to: until)
      let window = WindowPicture(
        picture, scale: DrawingScale(from: from, until: until, columns: query.columns), now: now,
        filter: JobFilter(query.filter), zone: zone)
      let knownFrom = picture.archive.knownFrom.flatMap { $0 > from ? $0 : nil }
      let goesOn = knownUntil != nil && picture.future?.simulation?.book.isFull == false
      return WindowText(
        window: window, status: status, futureSource: picture.future?.source ?? "", knownFrom: knownFrom,
        knownUntil: knownUntil, isPartial: picture.archive.lacks(from) || goesOn, machine: machine,
        cluster: picture.cluster
      ).json
    }
  }

  /// Reads the state of the daemon again. Returns it with a future in which nothing is simulated yet.
  func present() throws(FailedCall) -> (status: StatusReply, jobs: [JobReport], future: FutureEntries?) {
    let (status, jobs) = try source.call { client throws(VarlinkClientError) in
      (try client.status(), try client.list())
    }
    return picture.withLock { picture in
      picture.take(status, jobs, at: clock())
      return (status, jobs, picture.future)
    }
  }

  /// The explanation of an entry as JSON text.
  func story(job: String, moment: String) throws(FailedCall) -> String {
    let reply = try source.call { client throws(VarlinkClientError) in
      try client.why(job: job, moment: moment)
    }
    return StoryText(story: story(of: reply)).json
  }

  /// The explanation of an entry. For an entry of a cluster the explanation includes the store's record.
  private func story(of reply: WhyReply) -> ClusterExplanation {
    guard let question = HistoryParameters(entryOf: reply) else { return ClusterExplanation(reply) }
    do throws(FailedCall) {
      let answer = try source.call { client throws(VarlinkClientError) in try client.clusterHistory(question)
      }
      return ClusterExplanation(reply, answer.entries, in: zone(reply.zone))
    } catch {
      return ClusterExplanation(reply, storeFault: error.message)
    }
  }

  /// The metrics of the daemon and its jobs.
  func metrics() throws(FailedCall) -> MetricsReply {
    try source.call { client throws(VarlinkClientError) in try client.metrics() }
  }

  /// The verdict on the daemon.
  func health() throws(FailedCall) -> Health {
    let (status, metrics) = try source.call { client throws(VarlinkClientError) in
      (try client.status(), try client.metrics())
    }
    return Health(status, metrics, isClockSynchronized: SystemTime.isWallClockSynchronized) { "\($0)" }
  }

  /// Makes a change, and returns what has happened, in words.
  func perform(_ change: WebChange) throws(FailedCall) -> String {
    try source.call { client throws(VarlinkClientError) in try change.perform(by: client) }
  }

  /// Reads status and jobs if they are old.
  private func refresh() throws(FailedCall) {
    guard picture.withLock({ $0.isStale(at: clock()) }) else { return }
    let (status, jobs) = try source.call { client throws(VarlinkClientError) in
      (try client.status(), try client.list())
    }
    let question = picture.withLock { picture in
      picture.take(status, jobs, at: clock())
      return picture.archive.questionOfEnds
    }
    guard let question else { return }
    let answer = try source.call { client throws(VarlinkClientError) in try client.history(question) }
    picture.withLock { $0.archive.takeEnds(answer) }
  }

  /// Reads older entries, at most ``WebLimits/historyPagesMax`` pages.
  private func readHistory(downTo instant: WallInstant) throws(FailedCall) {
    for _ in 0..<WebLimits.historyPagesMax {
      let question = picture.withLock { picture in
        picture.archive.lacks(instant) ? picture.archive.question(downTo: instant) : nil
      }
      guard let question else { return }
      let answer = try source.call { client throws(VarlinkClientError) in try client.history(question) }
      picture.withLock { $0.archive.take(answer, downTo: instant) }
    }
  }

  /// Reads the entries of other nodes from the cluster's store, if the daemon is in a cluster. If the store does not
  /// answer, the page shows the rest.
  private func readCluster(downTo instant: WallInstant) {
    guard picture.withLock({ $0.status?.cluster != nil && $0.cluster.begins(at: clock()) }) else { return }
    do throws(FailedCall) {
      let state = try source.call { client throws(VarlinkClientError) in try client.cluster() }
      var question: HistoryParameters? = picture.withLock { picture in
        picture.cluster.take(state)
        return picture.cluster.questionOfChanges(downTo: instant)
      }
      for page in 0..<WebLimits.clusterPagesMax {
        guard let asked = question else { return }
        let answer = try source.call { client throws(VarlinkClientError) in try client.clusterHistory(asked) }
        question = picture.withLock { picture in
          if page == 0 {
            picture.cluster.takeChanges(answer, downTo: instant, now: picture.now(at: clock()))
          } else {
            picture.cluster.takeOlder(answer, downTo: instant)
          }
          return picture.cluster.questionOfOlder(downTo: instant)
        }
      }
    } catch {
      picture.withLock { $0.cluster.take(fault: error.message) }
    }
  }

  /// Begin and length of the requested window.
  private static func extent(
    of query: WindowQuery, in picture: DaemonPicture, at instant: MonotonicInstant
  ) -> (from: WallInstant, length: ElapsedTime) {
    let length = query.length ?? Self.length(showing: picture.future)
    // More room for future entries than for past ones.
    let lead = ElapsedTime(nanoseconds: length.nanoseconds / 5 * 2)
    let latest = WallInstant.max - length
    return (min(max(query.from ?? picture.now(at: instant) - lead, .min + length), latest), length)
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
