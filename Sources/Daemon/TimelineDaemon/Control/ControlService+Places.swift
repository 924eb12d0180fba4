import TimelineControl
import TimelineSystem

// Places of clients, shared among users.
extension ControlService {
  /// Returns whether a new client gets a place. Another client may be disconnected for it. A client without a place is sent an
  /// error.
  func hasPlace(for stream: ByteStream) -> Bool {
    // With few clients, the usual case, each new client gets a place, so the rule is skipped.
    guard connections.count >= ControlPlaces.connections.readersMax else { return true }
    let peer = try? stream.peerCredentials()
    let newcomer = ControlPlaces.Client(
      number: 0, user: peer?.user, mayChange: mayChange(peer), state: .idle)
    guard let limit = refusal(of: newcomer, beside: connections, by: .connections) else { return true }
    let text = VarlinkServerConnection.refusal(ControlError.tooManyClients(limit: limit).varlink)
    _ = try? stream.write(text[...])
    return false
  }

  /// Gives a client a place among the clients that stay for the same reason. Another client may be disconnected for it. Throws an
  /// error if there is no place.
  func stay(_ stay: ControlConnection.Stay, _ connection: ControlConnection) throws(ControlError) {
    let others = connections.filter { $0.value.stay == stay }
    let newcomer = ControlPlaces.Client(
      number: 0, user: connection.peer?.user, mayChange: mayChange(connection.peer), state: .served)
    let places = stay == .waiting ? ControlPlaces.waiting : .watching
    if let limit = refusal(of: newcomer, beside: others, by: places) { throw .tooManyClients(limit: limit) }
    connection.stay = stay
  }

  /// Returns the limit by which a new client is refused; `nil` if the client gets a place.
  private func refusal(
    of newcomer: ControlPlaces.Client, beside others: [Int: ControlConnection], by places: ControlPlaces
  ) -> Int? {
    let clients = others.map { number, connection in
      ControlPlaces.Client(
        number: number, user: connection.peer?.user, mayChange: mayChange(connection.peer),
        state: connection.isIdle ? .idle : connection.isServing ? .served : .asking)
    }
    switch places.decision(for: newcomer, beside: clients) {
    case .free: return nil
    case .full(let limit): return limit
    case .instead(let number):
      if others[number]?.isIdle ?? false {
        others[number]?.close()
      } else {
        others[number]?.hangUp(because: "its place was needed for another client")
      }
      return nil
    }
  }
}
