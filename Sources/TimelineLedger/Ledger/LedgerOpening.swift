package import TimelineCore

/// Action for a ledger that is damaged.
package enum DamagedLedgerPolicy: String, Sendable, Hashable, CaseIterable {
  /// Renames it and begins a new one: jobs run on, and entries that were not settled yet may run again.
  case setAside = "set-aside"
  /// Refuses to start.
  case refuse
}

extension Ledger {
  /// A ledger that was damaged and now has another name.
  package struct SetAside: Sendable, Hashable {
    /// Path of the damaged ledger now.
    package var path: String
    /// Description of the damage.
    package var reason: String
  }

  /// Opens or makes the ledger at `path`; one that is damaged is set aside if `policy` says so, and a new one begun.
  ///
  /// A file that a newer program has written, that another process uses or that may not be opened is never set aside.
  ///
  /// - Parameters:
  ///   - boot: What the machine calls its present boot, if it tells.
  ///   - now: What the damaged file is called after.
  ///   - byteCountMax: The largest file that is looked through whole.
  ///   - lockLimit: Longest wait for another process that has the file open.
  ///   - rename: Gives a file another name and gives `nil`, or says why it cannot; a file that is not there needs none.
  package static func open(
    path: String, boot: String?, ifDamaged policy: DamagedLedgerPolicy, at now: WallInstant,
    lookingThrough byteCountMax: Int64 = LedgerCheck.wholeByteCountMax, lockLimit: ElapsedTime = .seconds(5),
    rename: (_ from: String, _ to: String) -> String?
  ) throws(LedgerError) -> (ledger: Ledger, setAside: SetAside?) {
    do {
      return (
        try Ledger(path: path, boot: boot, lookingThrough: byteCountMax, lockLimit: lockLimit), nil
      )
    } catch {
      guard case .damaged(_, let reason) = error, policy == .setAside else { throw error }
      // Colons would make it the name of another machine to some programs.
      let aside = "\(path).damaged-\(now.description.filter { $0 != ":" })"
      // The file last: a log without its file is nothing, a new file beside an old log might be taken for its own.
      for suffix in ["-wal", "-shm", ""] {
        if let obstacle = rename(path + suffix, aside + suffix) {
          throw .damaged(path: path, reason: "\(reason); and it cannot be set aside: \(obstacle)")
        }
      }
      let ledger = try Ledger(path: path, boot: boot)
      // Nobody knows any more what was decided up to now.
      ledger.attendedBefore = [.min...now]
      try ledger.noteUnknown(through: now)
      return (ledger, SetAside(path: aside, reason: reason))
    }
  }
}
