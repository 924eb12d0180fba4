package import TimelineCore

/// Action for a ledger that is damaged.
package enum DamagedLedgerPolicy: String, Sendable, Hashable, CaseIterable {
  /// Renames the ledger and begins a new one. Jobs keep running, and entries that were not settled yet may run again.
  case setAside = "set-aside"
  /// Refuses to start.
  case refuse
}

extension Ledger {
  /// A ledger that was damaged and now has another name.
  package struct SetAside: Sendable, Equatable {
    /// Present path of the damaged ledger.
    package var path: String
    /// Description of the damage.
    package var reason: String
  }

  /// Opens or makes the ledger at `path`. With the policy `setAside`, a damaged ledger is set aside and a new one begun.
  ///
  /// A file of a newer program, a file in use by another process, and a file that may not be opened are never set aside.
  ///
  /// - Parameters:
  ///   - boot: The machine's identity of the present boot; `nil` if unknown.
  ///   - now: Timestamp in the new name of a damaged file.
  ///   - byteCountMax: Size of the largest file that is checked completely.
  ///   - lockLimit: Maximum wait for another process that has the file open.
  ///   - rename: Renames a file. Returns the reason of a failure, or `nil`. A missing file is no failure.
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
      // Some programs take the text before a colon for the name of another machine.
      let aside = "\(path).damaged-\(now.description.filter { $0 != ":" })"
      // The file last: a log without its file is harmless, but a new file beside an old log might be combined with it.
      for suffix in ["-wal", "-shm", ""] {
        if let obstacle = rename(path + suffix, aside + suffix) {
          throw .damaged(path: path, reason: "\(reason); and it cannot be set aside: \(obstacle)")
        }
      }
      let ledger = try Ledger(path: path, boot: boot)
      // The lost ledger may have decided any entry up to now.
      ledger.attendedBefore = [.min...now]
      try ledger.noteUnknown(through: now)
      return (ledger, SetAside(path: aside, reason: reason))
    }
  }
}
