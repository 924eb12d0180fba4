internal import TimelineStoreSQL
internal import TimelineStoreWire
internal import TimelineSystem

/// Answers calls one after the other until the socket ends.
struct CallLoop {
  let socket: CallSocket
  let session: StoreSession

  /// Runs until the daemon closes the socket.
  func run() throws(SystemError) {
    while let message = try socket.receive() {
      guard try socket.send(response(to: message).message) else { return }
      // The answer comes first: a renewal must not wait for what has time.
      session.tidyAfterRenewal()
    }
  }

  private func response(to message: [UInt8]) -> StoreResponse {
    let request: StoreRequest
    do throws(StoreFailure) {
      request = try StoreRequest(message: message)
      try CallLimits.check(request.call)
    } catch {
      return StoreResponse(id: StoreRequest.id(ofMessage: message), result: .failure(error))
    }
    do throws(StoreFailure) {
      return StoreResponse(id: request.id, result: .success(try session.perform(request.call)))
    } catch {
      return StoreResponse(id: request.id, result: .failure(error))
    }
  }
}
