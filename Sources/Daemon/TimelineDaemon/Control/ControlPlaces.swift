/// Rule by which clients share places of one kind on the control socket: connections, or places for clients that wait or watch.
///
/// Users have equal shares: if no place is free, a client of a user with fewer places replaces a client of the user with the most
/// places. Readers, who may change nothing, have only some of the places, and never replace clients of users who may change
/// something. So no user can lock out another user, and no reader can lock out an operator.
struct ControlPlaces: Sendable, Equatable {
  /// Largest number of clients.
  let max: Int
  /// Largest number of readers; the other places are reserved for users who may change something.
  let readersMax: Int

  /// Connections: each costs a descriptor and at most 16 MiB of unread replies. The limit exceeds ``waiting`` and ``watching``
  /// together, so that 56 places are left for short calls.
  static let connections = ControlPlaces(max: 224, readersMax: 96)
  /// Clients that wait for the end of a run. Each client may belong to a run that lends its place to another run. The host of the
  /// other run has four descriptors, and a service has 1,024 descriptors by default.
  static let waiting = ControlPlaces(max: 128, readersMax: 0)
  /// Clients that watch: each costs the event loop some microseconds for each event.
  static let watching = ControlPlaces(max: 40, readersMax: 32)

  /// Input of the rule about one client.
  struct Client: Sendable, Equatable {
    /// Number of the client's connection. A later connection has a higher number.
    var number: Int
    /// User number of the client; `nil` if the kernel does not report it.
    var user: UInt32?
    var mayChange: Bool
    var state: State
  }

  /// States of a client, in the order in which clients are disconnected.
  enum State: Int, Sendable {
    /// The client has no request.
    case idle
    /// The client has sent part of a request.
    case asking
    /// The client waits for a reply, or reads it.
    case served
  }

  /// Decision about a new client.
  enum Decision: Sendable, Equatable {
    /// There is a free place.
    case free
    /// The new client gets the place of the client with this number, which is disconnected.
    case instead(of: Int)
    /// The new client is refused, because the number of clients has reached the limit.
    case full(limit: Int)
  }

  /// Returns the decision about a new client beside `others`. If no place is free, an idle client is disconnected. Otherwise a
  /// reader is disconnected for a client that may change something. Otherwise a client of the user with the most places is
  /// disconnected if the new client's user has at least two places fewer, and otherwise a client with an unfinished request.
  /// Among several, the client that has been connected for longest is disconnected.
  func decision(for newcomer: Client, beside others: [Client]) -> Decision {
    let readers = others.filter { !$0.mayChange }
    let limit = newcomer.mayChange ? max : Swift.min(max, readersMax)
    guard others.count >= max || !newcomer.mayChange && readers.count >= readersMax else { return .free }
    let rivals = newcomer.mayChange ? others : readers
    if let idle = Self.first(of: rivals.filter { $0.state == .idle }) { return .instead(of: idle) }
    if newcomer.mayChange, let reader = Self.first(of: Self.greediest(readers)) {
      return .instead(of: reader)
    }
    let greediest = Self.greediest(rivals)
    let own = rivals.count { $0.user == newcomer.user }
    if greediest.count > own + 1, let other = Self.first(of: greediest) { return .instead(of: other) }
    if let slow = Self.first(of: rivals.filter { $0.state == .asking }) { return .instead(of: slow) }
    return .full(limit: limit)
  }

  /// Returns the clients of the user who has the most clients.
  private static func greediest(_ clients: [Client]) -> [Client] {
    let byUser = Dictionary(grouping: clients, by: \.user)
    return byUser.max { ($0.value.count, $0.key ?? 0) < ($1.value.count, $1.key ?? 0) }?.value ?? []
  }

  private static func first(of clients: [Client]) -> Int? {
    clients.min { ($0.state.rawValue, $0.number) < ($1.state.rawValue, $1.number) }?.number
  }
}
