import TimelineCore

extension Control {
  /// Metrics of the daemon and of all jobs.
  package struct Metrics: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = MetricsReply

    package init() {}

    /// Pages of jobs. The daemon's metrics are those of the last page.
    package static var replies: ReplyForm<MetricsReply> {
      .pages { whole, page in
        whole.daemon = page.daemon
        whole.jobs += page.jobs
      }
    }
  }
}

/// Reply to `Metrics`. A call with `more` gets several replies, each with some of the jobs.
package struct MetricsReply: Codable, Sendable, Equatable {
  package var daemon: DaemonMetrics
  /// Upper bounds of the buckets of all histograms in nanoseconds, ascending. The last bucket has no bound.
  package var bucketBounds: [Int64]
  /// Metrics of jobs, in the order of the configuration.
  package var jobs: [JobMetrics]

  package init(
    daemon: DaemonMetrics, bucketBounds: [Int64] = DurationHistogram.bounds.map(\.nanoseconds),
    jobs: [JobMetrics]
  ) {
    (self.daemon, self.bucketBounds, self.jobs) = (daemon, bucketBounds, jobs)
  }
}
