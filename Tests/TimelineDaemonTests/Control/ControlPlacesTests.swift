import Testing

@testable import TimelineDaemon

@Suite struct `Places of the control socket` {
  private typealias Client = ControlPlaces.Client
  private static let places = ControlPlaces(max: 6, readersMax: 4)

  /// Clients in the order in which they came: `r` and `a` are root and another user who may change something, `1` and `2` readers;
  /// `.` idle, `{` in the middle of a request, else served.
  private static func clients(_ words: String) -> [Client] {
    words.split(separator: " ").enumerated().map { client(String($1), number: $0 + 1) }
  }

  private static func client(_ word: String, number: Int = 0) -> Client {
    let user: UInt32? = ["r": 0, "a": 50, "1": 1_001, "2": 1_002, "?": nil][word.prefix(1)] ?? nil
    return Client(
      number: number, user: user, mayChange: "ra".contains(word.prefix(1)),
      state: word.hasSuffix(".") ? .idle : word.hasSuffix("{") ? .asking : .served)
  }

  @Test(
    arguments: [
      ("", "1", .free),
      ("1 1 1", "1", .free),
      // Some places are reserved for users with write access.
      ("1 1 1 1", "1", .full(limit: 4)),
      ("1 1 1 1", "r", .free),
      ("1 1 1 1 r r", "r", .instead(of: 1)),
      ("1 1 2 2 2 r", "r", .instead(of: 3)),
      // An idle client goes first, and the eldest of them.
      ("1 1. 2 2.", "1", .instead(of: 2)),
      ("r. 1 1 1 1", "1", .full(limit: 4)),
      ("r. r. r r r r", "1", .full(limit: 4)),
      ("r. r. r r r r", "a", .instead(of: 1)),
      // Users share the places equally.
      ("1 1 1 1", "2", .instead(of: 1)),
      ("1 1{ 1 1", "2", .instead(of: 2)),
      ("1 1 1 2", "2", .instead(of: 1)),
      ("1 1 2 2", "2", .full(limit: 4)),
      ("1 1 1 1", "?", .instead(of: 1)),
      ("a a a a a a", "r", .instead(of: 1)),
      ("r r r r r r", "a", .instead(of: 1)),
      ("r r r r r r", "r", .full(limit: 6)),
      // A client in the middle of a request makes room for a later one.
      ("r r{ r{ r r r", "r", .instead(of: 2)),
      ("1 1 1{ 1", "1", .instead(of: 3)),
    ] as [(String, String, ControlPlaces.Decision)])
  func `are given to a new client by its user and its permission`(
    _ others: String, _ newcomer: String, _ decision: ControlPlaces.Decision
  ) {
    #expect(
      Self.places.decision(for: Self.client(newcomer), beside: Self.clients(others)) == decision)
  }

  @Test func `are left for short calls, however many clients wait and watch`() {
    let kept = ControlPlaces.connections.max - ControlPlaces.waiting.max - ControlPlaces.watching.max
    #expect(kept == 56)
    #expect(ControlPlaces.connections.readersMax > ControlPlaces.watching.readersMax)
  }
}
