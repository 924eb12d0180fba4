internal import TimelineStoreWire
internal import TimelineSystem

/// A store that performs calls.
protocol CallSession {
  /// Performs the call of a request.
  func perform(_ request: StoreRequest) throws(StoreFailure) -> StoreReply
  /// Deletes a portion of old data after a renewal. Failures are ignored, because the next renewal tries again.
  func tidyAfterRenewal()
}

/// Answers calls one after the other until the daemon closes the socket.
struct CallLoop {
  let socket: CallSocket
  let session: any CallSession

  /// Runs until the daemon closes the socket.
  func run() throws(SystemError) {
    while let message = try socket.receive() {
      guard try socket.send(response(to: message).message) else { return }
      // The answer is sent first, because tidying is not urgent.
      session.tidyAfterRenewal()
    }
  }

  private func response(to message: [UInt8]) -> StoreResponse {
    let request: StoreRequest
    do throws(StoreFailure) {
      request = try StoreRequest(message: message)
      try CallLimits.check(request)
    } catch {
      return StoreResponse(id: StoreRequest.id(ofMessage: message), result: .failure(error))
    }
    do throws(StoreFailure) {
      return StoreResponse(id: request.id, result: .success(try session.perform(request)))
    } catch {
      return StoreResponse(id: request.id, result: .failure(error))
    }
  }
}
