extension Control {
  /// Asks a run to stop, also while the daemon drains.
  package struct Cancel: ChangingCall {
    /// Reply when the run has been asked to stop. A call with `more` also gets the end of the run.
    package typealias Reply = CancelReply

    /// A draining daemon answers, because a run that delays the daemon's end can be cancelled.
    package static var whileDraining: DrainingRule { .answered }

    package var run: UInt64

    package init(run: UInt64) { self.run = run }

    enum CodingKeys: CodingKey { case run }

    /// Reads a call. A negative number is reported as an error of the parameter `run`.
    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      guard let run = UInt64(exactly: try container.decode(Int64.self, forKey: .run)) else {
        throw DecodingError.dataCorruptedError(
          forKey: .run, in: container, debugDescription: "a run's number is not negative")
      }
      self.run = run
    }
  }
}

/// Reply to `Cancel`, sent when the run has been asked to stop. A call with `more` gets a second reply when the run has ended.
package struct CancelReply: Codable, Sendable, Equatable {
  package var run: UInt64
  package var job: String
  /// End of the run's entry; `nil` before the run has ended.
  package var end: EntryReport?

  package init(run: UInt64, job: String, end: EntryReport? = nil) {
    self.run = run
    self.job = job
    self.end = end
  }
}

// Runs that may end before the request to stop arrives.
extension ControlClient {
  /// Asks a run to stop, passes each reply to `each`, and returns the last reply, which has the end. Returns `nil` if the run has
  /// already ended.
  package func cancelIfActive(
    run: UInt64, each: (CancelReply) throws -> Void
  ) throws(VarlinkClientError) -> CancelReply? {
    do {
      return try stream(Control.Cancel(run: run), each: each)
    } catch {
      if Self.isOver(error) { return nil }
      throw error
    }
  }

  /// Asks a run to stop without waiting for its end. A run that has already ended is no error.
  package func askToStop(run: UInt64) throws(VarlinkClientError) {
    do {
      _ = try call(Control.Cancel(run: run))
    } catch {
      if !Self.isOver(error) { throw error }
    }
  }

  private static func isOver(_ error: VarlinkClientError) -> Bool {
    guard case .remote(let error) = error, case .noSuchRun? = ControlError(error) else { return false }
    return true
  }
}
