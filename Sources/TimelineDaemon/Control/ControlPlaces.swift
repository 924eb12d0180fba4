/// The rule by which clients share places of the control socket, of one kind.
///
/// Users share alike: a client of a user who has fewer places than another gets one of that user's. Readers, who may change nothing, have
/// only some of the places, and take none from a user who may. So no user keeps another out, and no reader an operator.
struct ControlPlaces: Sendable, Hashable {
  /// Largest number of clients.
  let max: Int
  /// Largest number of readers; the rest of the places is kept for users who may change something.
  let readersMax: Int

  /// Connections: each costs a descriptor and at most 16 MiB of unread replies. They are more than ``waiting`` and
  /// ``watching`` together, so that 56 places are left for short calls.
  static let connections = ControlPlaces(max: 224, readersMax: 96)
  /// Clients that wait for the end of a run. As many runs may lend their places to others, whose hosts have four descriptors each; a service
  /// has 1,024 of them by default.
  static let waiting = ControlPlaces(max: 128, readersMax: 0)
  /// Clients that watch: each costs the event loop some microseconds for each event.
  static let watching = ControlPlaces(max: 40, readersMax: 32)

  /// A client, as far as it matters here.
  struct Client: Sendable, Hashable {
    /// Number of its connection; a later one has a higher number.
    var number: Int
    /// Its user; `nil` if the kernel does not say.
    var user: UInt32?
    /// Whether it may change something.
    var mayChange: Bool
    /// Its state.
    var state: State
  }

  /// States of a client, in the order in which they have to go.
  enum State: Int, Sendable {
    /// It asks for nothing.
    case idle
    /// It has begun a request and not ended it.
    case asking
    /// It has asked and waits, or reads its reply.
    case served
  }

  /// Decisions on a newcomer.
  enum Decision: Sendable, Hashable {
    /// It has a place.
    case free
    /// It has the place of the client with this number, who is disconnected.
    case instead(of: Int)
    /// It is refused, because there are as many clients as there may be.
    case full(limit: Int)
  }

  /// Returns what is done with a newcomer beside `others`. An idle client goes first, then one of the user with the most places, then
  /// one that has not ended its request; of each the one that has been connected for longest.
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

  /// The clients of the user who has the most of them.
  private static func greediest(_ clients: [Client]) -> [Client] {
    let byUser = Dictionary(grouping: clients, by: \.user)
    return byUser.max { ($0.value.count, $0.key ?? 0) < ($1.value.count, $1.key ?? 0) }?.value ?? []
  }

  private static func first(of clients: [Client]) -> Int? {
    clients.min { ($0.state.rawValue, $0.number) < ($1.state.rawValue, $1.number) }?.number
  }
}
