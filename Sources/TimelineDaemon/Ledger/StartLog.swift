import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem

/// The file beside the ledger in which starts are noted before a plugin is called, until the ledger's file has them.
///
/// A note is one short write into memory that the kernel keeps when this process dies, and costs a tenth of the ledger's
/// transaction. It may not outlive a loss of power, for which the ledger has the claims that are on the disk long before.
///
/// A filing marks how far the ledger has the notes, and by which commit. What was committed is still kept until the write-ahead log is in
/// the ledger's file: with a log that was lost or cut, the ledger has not come to the commit of the last filing, and the starts
/// since the one that it has come to are noted here.
///
/// Runs without a row in the ledger are noted here until they have ended: nothing else tells the next daemon that they were under way.
/// The file stays when the daemon ends, so that a disk that is full at the next start still has room for notes.
final class StartLog {
  /// Largest size of the file in bytes: the starts of some 200,000 entries of one instant.
  private static let byteCountMax = 16 << 20
  /// Number of bytes that are allocated from the beginning.
  private static let byteCountMin = 64 << 10
  /// Number of bytes after which the ledger is to put its log into its file, so that notes can be dropped: some 15,000 starts. A log of
  /// the ledger that holds as many rows is mostly put there earlier for its own length.
  private static let byteCountOfCheckpoint = 1 << 20

  /// Largest number of ends that wait for a filing: about 1 MiB.
  private static let endCountMax = 10_000

  private let file: FixedSizeLogFile?
  /// Boot identifier of the machine, for filings; empty if it is not available.
  private let boot: String
  private var generation: UInt64
  /// The offset of the next block.
  private var length = 0
  /// The last filing of this daemon: its commit, its offset, and the offset behind it. Without one, nothing is known to be in the ledger.
  private var filing: (commit: Int64, offset: Int, end: Int)?
  /// Length at which a checkpoint is wanted next.
  private var checkpointLength = byteCountOfCheckpoint
  /// Starts that an earlier daemon noted and its ledger may not have; what is noted now follows them until they are filed.
  private(set) var left: [Attempt] = []
  /// Runs of that daemon whose ends are noted.
  let ended: Set<RunID>
  /// The last filing of that daemon; `nil` for none.
  let formerFiling: StartNote.Filing?
  /// Runs without a row that have not ended, by their latest attempts.
  private var unfinished: [RunID: Attempt] = [:]
  /// Ends of runs with rows, for the next filing.
  private var ends: [Attempt] = []
  /// The reason why starts cannot be noted; `nil` when they can.
  private(set) var writeFault: SystemError?
  /// The reason why the notes of the daemon before this one are not known; `nil` when they are, or when there are none.
  private(set) var readFault: SystemError?

  /// Opens the notes at `path` of a ledger whose last commit is `commit`: first reads what is there, then finds room for more.
  init(path: String, ledgerHas commit: Int64 = .max, boot: String? = nil) {
    self.boot = boot ?? ""
    var found = StartNote.Found()
    var (file, writeFault, readFault) = (FixedSizeLogFile?.none, SystemError?.none, SystemError?.none)
    do throws(SystemError) {
      file = try FixedSizeLogFile(path: path, for: .writing)
    } catch {
      writeFault = error
    }
    do throws(SystemError) {
      let source = if let file { file } else { try FixedSizeLogFile(path: path, for: .reading) }
      found = StartNote.read(try source.contents(limit: Self.byteCountMax), ledgerHas: commit)
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
    (left, ended, formerFiling, length) = (found.attempts, found.ended, found.filing, found.byteCount)
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

  /// Notes that a run with a row has ended, with the next filing.
  func noteEnd(_ record: EntryRecord) {
    guard let run = record.run else { return }
    if unfinished[run] != nil { return noteEnd(of: run) }
    // Where nothing can be filed, an end that is not noted is only not known.
    guard ends.count < Self.endCountMax else { return }
    ends.append(
      StartNote.end(
        of: Attempt(run: run, entry: record.entry, cause: record.cause, startedAt: record.endedAt)))
  }

  /// Notes that a run has ended, if it is one that has no row.
  func noteEnd(of run: RunID) {
    guard let attempt = unfinished.removeValue(forKey: run) else { return }
    // One that cannot be noted counts as a run that the death of this daemon has cut off.
    _ = append([StartNote.end(of: attempt)])
  }

  private func append(_ attempts: ArraySlice<Attempt>) -> Bool {
    guard let end = write(StartNote.block(attempts, generation: generation), at: length) else { return false }
    length = end
    return true
  }

  /// Writes blocks at an offset; returns the offset behind them, `nil` where they cannot be written.
  private func write(_ blocks: [UInt8], at offset: Int) -> Int? {
    guard let file, offset + blocks.count <= Self.byteCountMax else { return nil }
    do {
      try file.write(blocks, at: offset)
    } catch {
      return nil
    }
    return offset + blocks.count
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
      // The run is between two attempts again, and the note of the one before may have been dropped.
      var former = kept
      former.number = attempt.number - 1
      unfinished[attempt.run] = former
      notes.append(former)
    }
    _ = append(notes[...])
  }
}

// Notes that the ledger has.
extension StartLog {
  /// Marks that the ledger has all notes; drops those that its file has without its log, but for runs without a row that have not ended.
  func noteFiling(_ commits: CommitProgress) {
    let isNewer =
      filing.map { $0.commit != commits.last || length > $0.end } ?? (length > 0 || commits.last > 0)
    guard isNewer else { return }
    defer { ends.removeAll(keepingCapacity: true) }
    left = []
    guard let filing else { return append(filingOf: commits.last, at: length) }
    if let inFile = commits.inFile, inFile >= filing.commit {
      return begin(with: notes(in: filing.end..<length), filed: commits.last)
    }
    // Without notes in between the one filing takes the place of the other, so that commits alone do not make the file grow.
    append(filingOf: commits.last, at: length == filing.end ? filing.offset : length)
  }

  /// Forgets what the ledger has in its one file: all but runs without a row that have not ended.
  func clear() {
    guard length > 0 else { return }
    left = []
    begin(with: sortedUnfinished)
  }

  /// Returns whether the ledger's log is to be put into the file because the notes have become many; once for each such length.
  func takeCheckpointWish() -> Bool {
    guard length >= checkpointLength else { return false }
    checkpointLength = length + Self.byteCountOfCheckpoint
    return true
  }

  private var sortedUnfinished: [Attempt] { unfinished.values.sorted { $0.run < $1.run } }

  private func append(filingOf commit: Int64, at offset: Int) {
    // The ledger may lack notes without a filing.
    let ended = endBlock
    guard let end = write(ended + filing(of: commit), at: offset) else { return }
    (filing, length) = ((commit, offset + ended.count, end), end)
  }

  /// The block of the ends that the ledger has by the next filing; empty for none.
  private var endBlock: [UInt8] { ends.isEmpty ? [] : StartNote.block(ends, generation: generation) }

  /// The block of a filing. Runs without a row follow it, as they may be noted nowhere else.
  private func filing(of commit: Int64) -> [UInt8] {
    StartNote.block(
      sortedUnfinished, behind: StartNote.Filing(commit: commit, boot: boot), generation: generation)
  }

  /// Begins anew, in one write, with notes that are filed by `commit` or not at all, and others that are not filed.
  private func begin(with notes: [Attempt], filed commit: Int64? = nil, unfiled: [Attempt] = []) {
    generation &+= 1
    (length, filing, checkpointLength) = (0, nil, Self.byteCountOfCheckpoint)
    var blocks = notes.isEmpty ? [] : StartNote.block(notes, generation: generation)
    if commit != nil { blocks += endBlock }
    let offset = blocks.count
    if let commit { blocks += filing(of: commit) }
    let end = blocks.count
    if !unfiled.isEmpty { blocks += StartNote.block(unfiled, generation: generation) }
    guard !blocks.isEmpty, let length = write(blocks, at: 0) else {
      // Notes that stay when this cannot be written give starts as made, and the ledger then gets these twice.
      try? file?.write(StartNote.end, at: 0)
      return
    }
    self.length = length
    if let commit { filing = (commit, offset, end) }
  }

  /// Makes room where the disk has none: a later start of a job tells that its earlier entries are decided.
  func makeRoom(keeping isOpen: (Attempt) -> Bool) -> Bool {
    var known = Set<String>()
    func isKept(_ attempt: Attempt) -> Bool {
      let isLast = known.insert("\(attempt.entry.job) \(attempt.cause.isOfSchedule)").inserted
      return isLast || unfinished[attempt.run] != nil || isOpen(attempt)
    }
    let boundary = filing?.end ?? 0
    let unfiled = notes(in: boundary..<length, where: isKept)
    let filed = notes(in: 0..<boundary, where: isKept)
    guard StartNote.block(filed + unfiled, generation: 0).count < length else { return false }
    begin(with: filed, filed: filing?.commit, unfiled: unfiled)
    return true
  }

  /// The notes of a part of the file, with the ends behind the starts. `isKept` is called for the last note first.
  private func notes(
    in range: Range<Int>, where isKept: (Attempt) -> Bool = { _ in true }
  ) -> [Attempt] {
    guard !range.isEmpty, let bytes = try? file?.contents(from: range.lowerBound, limit: range.count) else {
      return []
    }
    let notes = StartNote.read(bytes, ledgerHas: .min)
    let kept = Array(notes.attempts.reversed().filter(isKept).reversed())
    return kept + kept.lazy.filter { notes.ended.contains($0.run) }.map(StartNote.end)
  }
}
