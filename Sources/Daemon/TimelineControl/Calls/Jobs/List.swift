extension Control {
  /// All jobs and their states.
  package struct List: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = ListReply

    package init() {}

    /// Pages of jobs.
    package static var replies: ReplyForm<ListReply> { .pages { $0.jobs += $1.jobs } }
  }
}

/// Reply to `List`.
package struct ListReply: Codable, Sendable, Equatable {
  /// All jobs, in the order of the configuration.
  package var jobs: [JobReport]

  package init(jobs: [JobReport]) { self.jobs = jobs }
}
