package import TimelineStoreWire

/// An error in a server's answer to a statement.
package struct ServerError: Error, Sendable, Equatable {
  /// SQLSTATE, five characters.
  package var state: String
  /// Message for the operator, in the language of the server.
  package var message: String

  package init(state: String, message: String) { (self.state, self.message) = (state, message) }

  /// Whether the transaction lost against concurrent transactions that have ended. It can then be repeated.
  ///
  /// Nodes that create the tables at the same time collide in the system catalogs, with one of the last three states.
  package var isCollision: Bool {
    state.hasPrefix("40") || ["23505", "42P06", "42P07"].contains(state)
  }

  /// The failure of a call whose transaction has not committed.
  package var failure: StoreFailure {
    let (kind, remedy) = kindAndRemedy
    return StoreFailure(kind, "postgresql: \(message) (\(state)): \(remedy)")
  }

  /// The failure of a call whose commit returned this error.
  ///
  /// A server that shuts down or fails during the commit may have committed.
  package var failureOfCommit: StoreFailure {
    switch state.prefix(2) {
    case "08", "57", "58", "XX":
      StoreFailure(.undecided, "postgresql: \(message) (\(state)): the call may have had its effect")
    default: failure
    }
  }

  private var kindAndRemedy: (StoreFailure.Kind, String) {
    switch state {
    case "42P01", "3F000": return (.uninitialized, "run `timelinectl cluster init`")
    case "42501": return (.refused, "grant the rights that share/doc/timelined/store.md lists")
    case "53100": return (.refused, "make room on the server's disk")
    case "25006": return (.refused, "the database must be writable")
    case "57014": return (.unavailable, "the server is slow or an administrator has canceled the statement")
    case "55P03": return (.unavailable, "another transaction holds a lock: look for it in pg_stat_activity")
    default: break
    }
    switch state.prefix(2) {
    case "08", "40", "53", "57": return (.unavailable, "see the server's log")
    case "22": return (.malformed, "a fault of one of the programs: report this error")
    default: return (.refused, "see the server's log")
    }
  }
}
