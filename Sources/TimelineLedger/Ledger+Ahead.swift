import TimelineCore
import TimelineEngine

// What is written before the end of a turn, in moments in which nothing else is to be done.
extension Ledger {
  /// Writes a little of what has gathered, some microseconds' work, into the transaction that ``commit()`` ends; gives whether there
  /// was something to write.
  ///
  /// Nobody is promised anything by that: it is kept when it is committed. What cannot be written here is tried by ``commit()``,
  /// with all else that has gathered.
  package func writeAhead() -> Bool {
    guard loan == nil, !backlog.isBehind, !heldDatabase.isShort, !ahead.isGivenUp else { return false }
    let change = backlog.changes.indices.contains(ahead.count) ? backlog.changes[ahead.count] : nil
    guard change?.isOfConfiguration != true, change != nil || !ahead.places.isEmpty else { return false }
    do throws(LedgerError) {
      if !heldDatabase.isInTransaction {
        // Of what was written before nothing is left.
        ahead = WrittenAhead()
        try heldDatabase.begin()
        return true
      }
      if let change {
        try ahead.write(change, to: heldDatabase)
      } else {
        try ahead.writePlace(to: heldDatabase)
      }
      return true
    } catch {
      heldDatabase.rollBack()
      ahead = WrittenAhead(isGivenUp: true)
      return false
    }
  }

  /// What the open transaction has already, for ``commit()`` to go on from there.
  func takeAhead() -> WrittenAhead {
    defer { ahead = WrittenAhead() }
    return heldDatabase.isInTransaction ? ahead : WrittenAhead()
  }
}

/// How far a transaction is that is still open.
struct WrittenAhead {
  /// How many of the changes that wait it has.
  private(set) var count = 0
  /// How many of them were not written because their entry had its one disposition already.
  private(set) var contradictionCount = 0
  /// Where jobs stand by those changes, as far as it does not have that yet.
  private(set) var places: [JobName: JobPlace] = [:]
  /// Whether something could not be written, so that all is left to the end of the turn.
  private(set) var isGivenUp = false

  init(isGivenUp: Bool = false) { self.isGivenUp = isGivenUp }

  mutating func write(_ change: Change, to database: Database) throws(LedgerError) {
    if case .watermarks(let watermarks) = change {
      // It may be lower than before, which is not to be undone by what was said before it.
      for job in watermarks.map(\.job) { try places.removeValue(forKey: job)?.write(of: job, to: database) }
    }
    if try !change.write(to: database) { contradictionCount += 1 }
    count += 1
    guard let (job, stand, cursor) = change.place else { return }
    places[job, default: JobPlace()].add(stand, cursor)
  }

  mutating func writePlace(to database: Database) throws(LedgerError) {
    guard let (job, place) = places.first else { return }
    try place.write(of: job, to: database)
    places[job] = nil
  }
}

/// Where a job is after some changes, of which the last word is enough.
struct JobPlace {
  private(set) var stand: WallInstant?
  private(set) var cursor: [UInt8]?

  init(stand: WallInstant? = nil) { self.stand = stand }

  mutating func add(_ stand: WallInstant?, _ cursor: [UInt8]?) {
    if let stand { self.stand = max(self.stand ?? stand, stand) }
    if let cursor { self.cursor = cursor }
  }

  func write(of job: JobName, to database: Database) throws(LedgerError) {
    if let cursor {
      try database.run(.cursor, [job.value, .blob(cursor), .instant(stand)])
    } else {
      try database.run(.stand, [job.value, .instant(stand)])
    }
  }
}

extension Database {
  /// Begins a transaction that ``transaction(isBegun:_:)`` goes on with and ends, or ``rollBack()``.
  func begin() throws(LedgerError) { try run(.begin) }

  /// Undoes what was written since a transaction was begun, if there is one.
  func rollBack() {
    if isInTransaction { try? run(.rollback) }
  }
}
