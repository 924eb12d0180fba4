import TimelineSystem

/// Directory of the ledger. The directory is checked before the ledger is opened, because SQLite's errors about an unusable
/// directory name only the files that SQLite would have made there.
enum StateDirectory {
  /// Makes the directory if it is missing, and checks that the ledger's files can be made and written in it. A ledger in memory
  /// has no directory.
  static func prepare(_ path: String?) throws(DaemonFailure) {
    guard let path else { return }
    do throws(SystemError) {
      try CurrentProcess.makeDirectory(path, mode: 0o750)
    } catch {
      throw failure(path, error, doing: "cannot be made")
    }
    let facts: FileFacts
    do throws(SystemError) {
      facts = try FileFacts(at: path)
    } catch {
      throw failure(path, error, doing: "cannot be used")
    }
    guard facts.kind == .directory else {
      throw DaemonFailure(
        .cannotStart, "state directory: \(path): not a directory: move the file away\(orAnother)")
    }
    do throws(SystemError) {
      try CurrentProcess.checkAccess(to: path, .changingDirectory)
      for file in ["ledger.sqlite", "ledger.sqlite-wal"].map({ path + "/" + $0 }) {
        do throws(SystemError) {
          try CurrentProcess.checkAccess(to: file, .readingAndWriting)
        } catch {
          if !error.isMissing { throw error }
        }
      }
    } catch {
      throw failure(error.subject, error, doing: "cannot be written")
    }
  }

  private static let orAnother = ", or name another directory by --state or `state-directory` in [daemon]"

  private static func failure(_ path: String, _ error: SystemError, doing: String) -> DaemonFailure {
    let remedy =
      if error.isReadOnly {
        "mount its file system for writing"
      } else if error.isForbidden {
        "give it to user \(CurrentProcess.effectiveUser), whom timelined runs as (chown)"
      } else if error.isMissing {
        "create the directory that it is to stand in"
      } else {
        "see to it"
      }
    return DaemonFailure(
      .cannotStart, "state directory: \(path) \(doing): \(error.plainReason): \(remedy)\(orAnother)")
  }
}
