extension Control {
  /// Asks a run to stop, also while the daemon drains.
  package struct Cancel: ChangingCall {
    /// The run when it has been asked to stop; to a call with `more` also its end.
    package typealias Reply = CancelReply

    /// A run that delays the end can be cancelled.
    package static var whileDraining: DrainingRule { .answered }

    /// The run's number.
    package var run: UInt64

    package init(run: UInt64) { self.run = run }

    enum CodingKeys: CodingKey { case run }

    /// Reads a call; a number that no run can have is reported as an error of `run`.
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

/// Reply to `Cancel`: one when the run has been asked to stop and, for a call with `more`, another when it has ended.
package struct CancelReply: Codable, Sendable, Hashable {
  /// The run's number.
  package var run: UInt64
  /// Its job.
  package var job: String
  /// End of the run's entry, when the run has ended.
  package var end: EntryEnd?

  package init(run: UInt64, job: String, end: EntryEnd? = nil) {
    self.run = run
    self.job = job
    self.end = end
  }
}

// Runs that may end before the request to stop arrives.
extension ControlClient {
  /// Asks an active run to stop, passes every reply to `each`, and returns the last one, which has the end; `nil` if
  /// the run is over.
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

  /// Asks an active run to stop without waiting for its end.
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
