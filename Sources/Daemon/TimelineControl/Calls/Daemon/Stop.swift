extension Control {
  /// Makes the daemon drain and end.
  package struct Stop: ChangingCall {
    /// Reply with the number of active runs, sent when draining has begun.
    package typealias Reply = StopReply

    /// A draining daemon answers, because a further call may ask the active runs to stop at once.
    package static var whileDraining: DrainingRule { .answered }

    /// Whether runs are asked to stop at once; `nil` is the same as `false`.
    package var now: Bool?

    package init(now: Bool = false) { self.now = now ? true : nil }
  }
}

/// Reply to `Stop`, sent when draining has begun.
package struct StopReply: Codable, Sendable, Equatable {
  /// Number of runs that the daemon waits for.
  package var runningCount: Int

  package init(runningCount: Int) { self.runningCount = runningCount }
}
