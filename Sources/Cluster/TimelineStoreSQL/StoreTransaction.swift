package import TimelineStoreWire

/// SQL that begins and ends the transaction of a call.
///
/// All settings apply to a single transaction. A pooler may therefore use another session for each transaction.
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

  /// Timeout of a statement: half of the default lease. A later answer is useless.
  private static let statementSeconds = 5
  /// Timeout of a wait for another transaction's lock. Calls hold locks for milliseconds, unless their process or a standby is
  /// stopped.
  private static let lockSeconds = 2
  /// Maximum time for which a stopped adapter can hold locks.
  private static let idleSeconds = 5
  /// Timeout of a statement that changes tables. The statement may have to read whole tables.
  private static let tablesSeconds = 300

  /// Returns the text that begins a transaction. The last statement of the text returns the version of the tables, or for
  /// `tables` their ``StoreTables/State``.
  ///
  /// `synchronous_commit` is set to `on`, because a server with `off` loses acknowledged commits in a crash. This also
  /// overrides `remote_apply`, which waits until standbys show a commit. A commit on the disks of the standbys is enough.
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

  package static let commit = "commit"
  /// Command tag of a ``commit`` that has committed.
  package static let committedTag = "COMMIT"
  /// Ends the transaction without effect.
  package static let rollback = "rollback"

  /// Throws unless the tables have the version of this program.
  package static func check(version text: String?) throws(StoreFailure) {
    guard let version = text.flatMap({ Int($0) }), version >= StoreTables.version else {
      throw StoreFailure(
        .uninitialized,
        "postgresql: the tables are missing or older than this program: run `timelinectl cluster init`")
    }
    guard version == StoreTables.version else {
      throw StoreFailure(
        .newer,
        "postgresql: the tables have version \(version), this program knows \(StoreTables.version): update this program"
      )
    }
  }
}
