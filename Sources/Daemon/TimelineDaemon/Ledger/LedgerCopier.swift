import TimelineControl
import TimelineCore
import TimelineLedger
import TimelineSystem

/// Copies the ledger to a file beside it, while the ledger is in use.
final class LedgerCopier {
  private let ledger: Ledger
  private let loop: EventLoop
  private let path: String
  private var backup: LedgerBackup?
  private var work: DetachedWork<SystemError?>?
  private var completion: ((Result<BackupReply, ControlError>) -> Void)?

  /// The name of the copy, in the directory of the ledger.
  private static let name = "ledger.backup.sqlite"
  /// Pause between two parts of the copy, in which entries are started.
  private static let pause = ElapsedTime.milliseconds(5)

  /// Begins a copy. `completion` is called once, unless the copier is released before. Throws the reason if the copy cannot
  /// begin.
  init(
    of ledger: Ledger, loop: EventLoop, completion: @escaping (Result<BackupReply, ControlError>) -> Void
  ) throws(ControlError) {
    guard let source = ledger.path else {
      throw .backupFailed(reason: "a rehearsal keeps its ledger in memory")
    }
    (self.ledger, self.loop, self.completion) = (ledger, loop, completion)
    path = source.parentDirectory + "/" + Self.name
    do {
      try WholeFile.write([], to: beside, mode: 0o600)
      backup = try LedgerBackup(of: ledger, at: beside)
    } catch {
      throw .backupFailed(reason: "\(error)")
    }
    // At the end of the iteration of the loop, because the owner has not stored this object yet.
    loop.atEndOfTurn { [weak self] in self?.advance() }
  }

  deinit { if backup != nil { WholeFile.discard(beside) } }

  private var beside: String { path + ".new" }

  private func advance() {
    do throws(LedgerError) {
      guard try backup?.advance() ?? true else {
        loop.after(Self.pause) { [weak self] in self?.advance() }
        return
      }
    } catch {
      return end(.failure(.backupFailed(reason: error.description)))
    }
    let (beside, path) = (beside, path)
    do throws(SystemError) {
      work = try DetachedWork(name: "timeline-backup", loop: loop) {
        do throws(SystemError) {
          try WholeFile.publish(beside, as: path)
          return nil
        } catch {
          return error
        }
      } completion: { [weak self] error in
        if error == nil { self?.backup = nil }
        self?.end(error.map { .failure(.backupFailed(reason: "\($0)")) } ?? .success(BackupReply(path: path)))
      }
    } catch {
      end(.failure(.backupFailed(reason: "\(error)")))
    }
  }

  private func end(_ result: Result<BackupReply, ControlError>) {
    let completion = completion
    self.completion = nil
    completion?(result)
  }
}
