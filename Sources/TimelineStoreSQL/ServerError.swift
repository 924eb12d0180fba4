package import TimelineStoreWire

/// An error in a server's answer to a statement.
package struct ServerError: Error, Sendable, Hashable {
  /// Its SQLSTATE, five characters.
  package var state: String
  /// The server's message, in the language of the server; for the operator only.
  package var message: String

  /// Makes an error.
  package init(state: String, message: String) { (self.state, self.message) = (state, message) }

  /// Whether the transaction can be repeated: it lost against other transactions, which have ended.
  ///
  /// Nodes that make the tables at the same time collide in the catalogs, with one of the last three states.
  package var isCollision: Bool {
    state.hasPrefix("40") || ["23505", "42P06", "42P07"].contains(state)
  }

  /// The failure of a call whose transaction has not committed.
  package var failure: StoreFailure {
    let (kind, remedy) = kindAndRemedy
    return StoreFailure(kind, "postgresql: \(message) (\(state)): \(remedy)")
  }

  /// The failure of a call whose commit was answered with this error.
  ///
  /// A server that shuts down or fails at that moment may have committed.
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
