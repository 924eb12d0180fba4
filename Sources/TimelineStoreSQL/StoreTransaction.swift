package import TimelineStoreWire

/// Texts around the statements of a call.
///
/// All settings hold for one transaction, so that a pooler may give each transaction another session.
package enum StoreTransaction {
  /// Purpose of a transaction.
  package enum Kind: Sendable {
    /// A call of a node.
    case call
    /// A call that changes nothing.
    case reading
    /// A call that makes tables.
    case tables
  }

  /// Longest time of a statement: half a lease of the default length, after which its answer has no use.
  private static let statementSeconds = 5
  /// Longest wait for another transaction's lock. Calls hold locks for milliseconds, unless their process or a standby has stopped.
  private static let lockSeconds = 2
  /// Longest time for which a stopped adapter can hold locks.
  private static let idleSeconds = 5
  /// Longest time of a statement that changes tables, which may have to read them whole.
  private static let tablesSeconds = 300

  /// Returns the text that begins a transaction; its last statement returns the version of the tables.
  ///
  /// `synchronous_commit` is set because a server where it is off loses acknowledged commits when it crashes. It would lower
  /// `remote_apply`, which waits for standbys to show a commit; that they have it on disk is enough.
  package static func begin(_ kind: Kind) -> String {
    """
    begin isolation level read committed\(kind == .reading ? " read only" : "");
    set local synchronous_commit = on;
    set local statement_timeout = '\(kind == .tables ? tablesSeconds : statementSeconds)s';
    set local lock_timeout = '\(lockSeconds)s';
    set local idle_in_transaction_session_timeout = '\(idleSeconds)s';
    set local search_path = pg_catalog, pg_temp;
    set local client_min_messages = error;
    \(kind == .tables ? StoreTables.stateText : "select version from timelined.meta")
    """
  }

  /// Commits the transaction.
  package static let commit = "commit"
  /// Tag with which the server answers a ``commit`` that has committed.
  package static let committedTag = "COMMIT"
  /// Ends the transaction without effect.
  package static let rollback = "rollback"

  /// Throws unless the tables have the version of this program.
  package static func check(version text: String?) throws(StoreFailure) {
    guard let version = text.flatMap({ Int($0) }), version >= StoreTables.version else {
      throw StoreFailure(
        .uninitialized,
        "postgresql: the tables are missing or older than this program: run timelinectl cluster init")
    }
    guard version == StoreTables.version else {
      throw StoreFailure(
        .newer,
        "postgresql: the tables have version \(version), this program knows \(StoreTables.version): update this program"
      )
    }
  }
}
