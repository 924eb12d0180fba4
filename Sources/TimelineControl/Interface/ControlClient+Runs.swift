// Runs that may end before the request to stop arrives.
extension ControlClient {
  /// Asks an active run to stop, passes every reply to `each`, and returns the last one, which has the end; `nil` if
  /// the run is over.
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

  /// Asks an active run to stop without waiting for its end.
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
