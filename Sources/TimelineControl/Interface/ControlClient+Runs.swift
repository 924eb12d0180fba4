// Runs that may be over by the time they are asked to stop.
extension ControlClient {
  /// Asks an active run to stop, hands every reply to `each`, and returns the last one, which has the end; `nil` when it is over.
  package func cancelIfActive(
    run: UInt64, each: (CancelReply) throws -> Void
  ) throws(VarlinkClientError) -> CancelReply? {
    do {
      return try cancelAndWait(run: run, each: each)
    } catch {
      if Self.isOver(error) { return nil }
      throw error
    }
  }

  /// Asks an active run to stop, and does not wait for its end.
  package func askToStop(run: UInt64) throws(VarlinkClientError) {
    do {
      _ = try cancel(run: run)
    } catch {
      if !Self.isOver(error) { throw error }
    }
  }

  private static func isOver(_ error: VarlinkClientError) -> Bool {
    guard case .remote(let error) = error, case .noSuchRun? = ControlError(error) else { return false }
    return true
  }
}
