/// A sync on another thread, which uses the file in the meantime.
struct BackgroundSync {
  let work: DiskWork
  let thread: any LedgerThread
}

/// Work on a ledger's file for another thread, and its result.
///
/// Safe although it passes on values that are not Sendable: between ``Ledger/beginDiskWork(on:isQuiet:)`` and the end of the
/// sync, the ledger uses neither ``outcome`` nor the database (see ``Ledger/database``). Beginning the work and waiting for
/// it each make the writes of one thread visible to the other.
final class DiskWork: @unchecked Sendable {
  enum Kind { case sync, checkpoint }

  private let kind: Kind
  private let database: Database
  private(set) var outcome: Result<Void, LedgerError>?

  init(_ kind: Kind, of database: Database) { (self.kind, self.database) = (kind, database) }

  func run() {
    outcome = Result { () throws(LedgerError) in
      switch kind {
      case .sync: try database.syncLog()
      case .checkpoint: try database.shortenLog()
      }
    }
  }
}
