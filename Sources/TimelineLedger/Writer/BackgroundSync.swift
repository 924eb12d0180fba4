/// A sync that another thread is doing, which has the file meanwhile.
struct BackgroundSync {
  let work: DiskWork
  let thread: any LedgerThread
}

/// Work on a ledger's file that another thread can do, and its result.
///
/// Safe although it hands over what is not Sendable: between ``Ledger/beginDiskWork(on:isQuiet:)`` and the end of the sync the
/// ledger touches neither the database, which it has behind ``Ledger/database``, nor ``outcome``; and beginning work and
/// waiting for it each make known to one thread what the other has written.
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
