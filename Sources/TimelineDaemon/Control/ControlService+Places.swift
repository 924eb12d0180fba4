import TimelineControl
import TimelineSystem

// Places of clients, which users share.
extension ControlService {
  /// Whether a new client has a place, for which another may have to go. Sends the error to one that has none.
  func hasPlace(for stream: ByteStream) -> Bool {
    // Mostly there are few clients, and nothing has to be counted.
    guard connections.count >= ControlPlaces.connections.readersMax else { return true }
    let peer = try? stream.peerCredentials()
    let newcomer = ControlPlaces.Client(
      number: 0, user: peer?.user, mayChange: mayChange(peer), state: .idle)
    guard let limit = refusal(of: newcomer, beside: connections, by: .connections) else { return true }
    let text = VarlinkServerConnection.refusal(ControlError.tooManyClients(limit: limit).varlink)
    _ = try? stream.write(text[...])
    return false
  }

  /// Gives a client a place among those that stay in such a way, for which another may have to go.
  func stay(_ stay: ControlConnection.Stay, _ connection: ControlConnection) throws(ControlError) {
    let others = connections.filter { $0.value.stay == stay }
    let newcomer = ControlPlaces.Client(
      number: 0, user: connection.peer?.user, mayChange: mayChange(connection.peer), state: .served)
    let places = stay == .waiting ? ControlPlaces.waiting : .watching
    if let limit = refusal(of: newcomer, beside: others, by: places) { throw .tooManyClients(limit: limit) }
    connection.stay = stay
  }

  /// The limit by which a newcomer is refused; `nil` when it has a place.
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
