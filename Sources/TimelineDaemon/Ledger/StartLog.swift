import TimelineCore
import TimelineEngine
import TimelineSystem

/// The file beside the ledger in which starts are noted before a plugin is called, until the ledger has them.
///
/// A note is one short write into memory that the kernel keeps when this process dies, and costs a tenth of the ledger's
/// transaction. It may not outlive a loss of power, for which the ledger has the claims that are on the disk long before.
///
/// Runs without a row in the ledger are noted here until they have ended: nothing else tells the next daemon that they were under way.
/// The file stays when the daemon ends, so that a disk that is full at the next start still has room for notes.
final class StartLog {
  /// Largest size of the file in bytes: the starts of some 200,000 entries of one instant.
  private static let byteCountMax = 16 << 20
  /// Number of bytes that are allocated from the beginning.
  private static let byteCountMin = 64 << 10

  private let file: FixedSizeLogFile?
  private var generation: UInt64
  /// The offset of the next block.
  private var length = 0
  /// The part of it that was kept when the ledger had the rest.
  private var keptLength = 0
  /// Starts that an earlier daemon noted and its ledger may not have; what is noted now follows them until they are cleared away.
  private(set) var left: [Attempt] = []
  /// Runs of that daemon whose ends are noted.
  let ended: Set<RunID>
  /// Runs without a row that have not ended, by their latest attempts.
  private var unfinished: [RunID: Attempt] = [:]
  /// The reason why starts cannot be noted; `nil` when they can.
  private(set) var writeFault: SystemError?
  /// The reason why the notes of the daemon before this one are not known; `nil` when they are, or when there are none.
  private(set) var readFault: SystemError?

  /// Opens the notes at `path`: first reads what is there, then finds room for more.
  init(path: String) {
    var found = StartNote.Found()
    var (file, writeFault, readFault) = (FixedSizeLogFile?.none, SystemError?.none, SystemError?.none)
    do throws(SystemError) {
      file = try FixedSizeLogFile(path: path, for: .writing)
    } catch {
      writeFault = error
    }
    do throws(SystemError) {
      let source = if let file { file } else { try FixedSizeLogFile(path: path, for: .reading) }
      found = StartNote.read(try source.contents(limit: Self.byteCountMax))
    } catch {
      // A file that could not be made was missing, so nothing is noted in it.
      if !error.isMissing { readFault = error }
    }
    do throws(SystemError) {
      try file?.allocate(Self.byteCountMin)
    } catch {
      // The room that it already has is used all the same.
      writeFault = error
    }
    self.file = file
    (self.writeFault, self.readFault) = (writeFault, readFault)
    (left, ended, length) = (found.attempts, found.ended, found.byteCount)
    // A clock never gives what a file may hold of which nothing is known.
    generation = found.generation ?? UInt64(bitPattern: SystemTime.now().nanosecondsSinceEpoch)
  }

  /// Notes starts; `false` when they are not noted, so that the ledger has to have them first.
  ///
  /// Runs for which `hasRow` is false are kept until ``noteEnd(of:)``. Where there is no room, starts for which `isOpen` is false make
  /// room, but for the last one of each job.
  func note(
    _ attempts: ArraySlice<Attempt>, hasRow: (Attempt) -> Bool = { _ in true },
    isOpen: (Attempt) -> Bool = { _ in true }
  ) -> Bool {
    guard append(attempts) || makeRoom(keeping: isOpen) && append(attempts) else { return false }
    for attempt in attempts where !hasRow(attempt) { unfinished[attempt.run] = attempt }
    return true
  }

  /// Notes that a run has ended, if it is one that has no row.
  func noteEnd(of run: RunID) {
    guard let attempt = unfinished.removeValue(forKey: run) else { return }
    // One that cannot be noted counts as a run that the death of this daemon has cut off.
    _ = append([StartNote.end(of: attempt)])
  }

  private func append(_ attempts: ArraySlice<Attempt>) -> Bool {
    let block = StartNote.block(attempts, generation: generation)
    guard let file, length + block.count <= Self.byteCountMax else { return false }
    do {
      try file.write(block, at: length)
    } catch {
      return false
    }
    length += block.count
    return true
  }

  /// Takes over a former daemon's runs without a row, which stay noted until they have ended.
  func adopt(_ runs: [Attempt]) {
    for run in runs { unfinished[run.run] = run }
  }

  /// Notes that the plugin of an attempt was not called after all, if its start was noted.
  func unstart(_ attempt: Attempt) {
    guard length > 0 else { return }
    var taken = attempt
    taken.number = -attempt.number
    var notes = [taken]
    if let kept = unfinished.removeValue(forKey: attempt.run), attempt.number > 1 {
      // The run is between two attempts again, and the note of the one before may have been cleared away.
      var former = kept
      former.number = attempt.number - 1
      unfinished[attempt.run] = former
      notes.append(former)
    }
    _ = append(notes[...])
  }

  /// Forgets what the ledger has: all but runs without a row that have not ended.
  func clear() {
    guard length > keptLength || !left.isEmpty else { return }
    left = []
    begin(with: unfinished.values.sorted { $0.run < $1.run })
  }

  /// Begins anew with `attempts`.
  private func begin(with attempts: [Attempt]) {
    generation &+= 1
    length = 0
    let isWritten = attempts.isEmpty ? false : append(attempts[...])
    keptLength = length
    // Notes that stay when this cannot be written give starts as made, and the ledger then gets these twice.
    if !isWritten { try? file?.write(StartNote.end, at: 0) }
  }

  /// Makes room where the disk has none: a later start of a job tells that its earlier entries are decided.
  func makeRoom(keeping isOpen: (Attempt) -> Bool) -> Bool {
    guard let file, length > 0, let bytes = try? file.contents(limit: length) else { return false }
    let notes = StartNote.read(bytes)
    var (kept, known) = ([Attempt](), Set<String>())
    for attempt in notes.attempts.reversed() {
      let isLast = known.insert("\(attempt.entry.job) \(attempt.cause.isOfSchedule)").inserted
      if isLast || unfinished[attempt.run] != nil || isOpen(attempt) { kept.append(attempt) }
    }
    kept.reverse()
    kept += kept.lazy.filter { notes.ended.contains($0.run) }.map(StartNote.end)
    guard StartNote.block(kept, generation: 0).count < length else { return false }
    begin(with: kept)
    keptLength = 0
    return true
  }
}
