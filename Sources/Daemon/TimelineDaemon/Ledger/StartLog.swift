import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem

/// Start log: the file beside the ledger in which starts are noted before a plugin is called, until the ledger's file has them.
///
/// A note is one short write into the page cache, which the kernel keeps when this process dies. It costs a tenth of a
/// transaction of the ledger. A note may not survive a loss of power; for that case the ledger has the claims, which are on the
/// disk long before.
///
/// A filing marks the notes that the ledger has, and the commit that wrote them. Committed notes are still kept until the
/// write-ahead log is in the ledger's file. If that log is lost or cut, the ledger's last commit is earlier than the commit of
/// the last filing. The starts since the ledger's last commit are then noted here.
///
/// Runs without a row in the ledger are noted here until they have ended, because the next daemon has no other record of them.
/// The file stays when the daemon ends, so that there is room for notes even if the disk is full at the next start.
final class StartLog {
  /// Largest size of the file in bytes: the starts of some 200,000 entries of one instant.
  private static let byteCountMax = 16 << 20
  /// Number of bytes that are allocated from the beginning.
  private static let byteCountMin = 64 << 10
  /// Number of bytes after which a checkpoint of the ledger is requested, so that notes can be dropped: some 15,000 starts.
  /// Usually the ledger has made a checkpoint before, because of the length of its own log.
  private static let byteCountOfCheckpoint = 1 << 20

  /// Largest number of ends that wait for a filing: about 1 MiB.
  private static let endCountMax = 10_000

  /// A commit that is noted: its number, the offset of its note, and the offset behind it.
  private struct NotedCommit {
    let number: Int64
    let offset: Int
    let end: Int
  }

  private let file: FixedSizeLogFile?
  /// Boot identifier of the machine, for filings; empty if it is not available.
  private let boot: String
  private var generation: UInt64
  /// The offset of the next block.
  private var length = 0
  /// The last filing of this daemon. Without a filing, no note counts as written to the ledger.
  private var filing: NotedCommit?
  /// The last commit that was noted without a filing.
  private var bareCommit: NotedCommit?
  /// Length of the log at which the next checkpoint is requested.
  private var checkpointLength = byteCountOfCheckpoint
  /// Starts that an earlier daemon noted and the ledger may not have. New notes follow them until a filing covers them.
  private(set) var left: [Attempt] = []
  /// Runs of the earlier daemon whose ends are noted.
  let ended: Set<RunID>
  /// The last filing of the earlier daemon; `nil` for none.
  let formerFiling: StartNote.Filing?
  /// Latest attempts of the runs without a row that have not ended.
  private var unfinished: [RunID: Attempt] = [:]
  /// Ends of runs with rows, for the next filing.
  private var ends: [Attempt] = []
  /// The reason why starts cannot be noted; `nil` if they can.
  private(set) var writeFault: SystemError?
  /// The reason why the notes of the previous daemon cannot be read; `nil` if they were read, or there are none.
  private(set) var readFault: SystemError?

  /// Opens the start log at `path` of a ledger whose last commit is `commit`: reads the notes in it, then allocates room for
  /// more.
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
      // A missing file that could not be made is no read fault, because it has no notes to read.
      if !error.isMissing { readFault = error }
    }
    do throws(SystemError) {
      try file?.allocate(Self.byteCountMin)
    } catch {
      // The room that the file already has is used nevertheless.
      writeFault = error
    }
    self.file = file
    (self.writeFault, self.readFault) = (writeFault, readFault)
    (left, ended, formerFiling, length) = (found.attempts, found.ended, found.filing, found.byteCount)
    // The current time as first generation differs from the generation of each old block in the file.
    generation = found.generation ?? UInt64(bitPattern: SystemTime.now().nanosecondsSinceEpoch)
  }

  /// Notes starts. Returns `false` if the starts cannot be noted, so that they have to be written to the ledger first.
  ///
  /// Runs for which `hasRow` is false are kept until ``noteEnd(of:)``. If there is no room, starts for which `isOpen` is false
  /// are dropped, except the last start of each job and runs without a row.
  func note(
    _ attempts: ArraySlice<Attempt>, hasRow: (Attempt) -> Bool = { _ in true },
    isOpen: (Attempt) -> Bool = { _ in true }
  ) -> Bool {
    guard append(attempts) || makeRoom(keeping: isOpen) && append(attempts) else { return false }
    for attempt in attempts where !hasRow(attempt) { unfinished[attempt.run] = attempt }
    return true
  }

  /// Notes that a run has ended: at once for a run without a row, and with the next filing for other runs.
  func noteEnd(_ record: EntryRecord) {
    guard let run = record.run else { return }
    if unfinished[run] != nil { return noteEnd(of: run) }
    // The list is bounded, because it grows as long as no filing is possible. If an end is not noted, the only effect is that
    // the next daemon does not have the end.
    guard ends.count < Self.endCountMax else { return }
    ends.append(
      StartNote.end(
        of: Attempt(run: run, entry: record.entry, cause: record.cause, startedAt: record.endedAt)))
  }

  /// Notes that a run has ended, if it has no row.
  func noteEnd(of run: RunID) {
    guard let attempt = unfinished.removeValue(forKey: run) else { return }
    // If the end cannot be noted, the run counts as interrupted by the end of this daemon.
    _ = append([StartNote.end(of: attempt)])
  }

  private func append(_ attempts: ArraySlice<Attempt>) -> Bool {
    guard let end = write(StartNote.block(attempts, generation: generation), at: length) else { return false }
    length = end
    return true
  }

  /// Writes blocks at an offset; returns the offset behind them, or `nil` if they cannot be written.
  private func write(_ blocks: [UInt8], at offset: Int) -> Int? {
    guard let file, offset + blocks.count <= Self.byteCountMax else { return nil }
    do {
      try file.write(blocks, at: offset)
    } catch {
      return nil
    }
    return offset + blocks.count
  }

  /// Adopts the runs without a row of an earlier daemon, which stay noted until they have ended.
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
      // The run is between two attempts again, and the note of the attempt before may have been dropped.
      var former = kept
      former.number = attempt.number - 1
      unfinished[attempt.run] = former
      notes.append(former)
    }
    _ = append(notes[...])
  }
}

// Notes whose starts the ledger has.
extension StartLog {
  /// Notes a filing: the ledger has all notes. Drops the notes that are in the ledger's file even without its write-ahead log,
  /// except for runs without a row that have not ended.
  func noteFiling(_ commits: CommitProgress) {
    let isNewer =
      filing.map { $0.number != commits.last || length > $0.end } ?? (length > 0 || commits.last > 0)
    guard isNewer else { return }
    defer { ends.removeAll(keepingCapacity: true) }
    left = []
    if let filing, let inFile = commits.inFile, inFile >= filing.number {
      return begin(with: notes(in: filing.end..<length), filed: commits.last)
    }
    // The ends precede the filing, which covers them. If the write fails, the notes are not filed: the ledger counts as lacking
    // them.
    filing = note(commits.last, coversNotes: true, behind: endBlock, after: filing)
  }

  /// Notes a commit that cannot be filed yet, so that its loss with the write-ahead log is known.
  func noteCommit(_ number: Int64) {
    guard number > max(filing?.number ?? 0, bareCommit?.number ?? 0) else { return }
    bareCommit = note(number, coversNotes: false, after: bareCommit)
  }

  /// Drops all notes, because the ledger has them in its one file, except for runs without a row that have not ended.
  func clear() {
    guard length > 0 else { return }
    left = []
    begin(with: sortedUnfinished)
  }

  /// Returns whether a checkpoint of the ledger is needed because there are many notes. Returns `true` once for each
  /// ``byteCountOfCheckpoint`` bytes of notes.
  func takeCheckpointWish() -> Bool {
    guard length >= checkpointLength else { return false }
    checkpointLength = length + Self.byteCountOfCheckpoint
    return true
  }

  private var sortedUnfinished: [Attempt] { unfinished.values.sorted { $0.run < $1.run } }

  /// Notes a commit behind `notes`; returns the note, or `last` if it cannot be written. Without notes in between it replaces
  /// `last`, so that commits alone do not make the file grow.
  private func note(
    _ commit: Int64, coversNotes: Bool, behind notes: [UInt8] = [], after last: NotedCommit?
  ) -> NotedCommit? {
    let offset = last.flatMap { $0.end == length ? $0.offset : nil } ?? length
    guard let end = write(notes + block(of: commit, coversNotes: coversNotes), at: offset) else {
      return last
    }
    length = end
    return NotedCommit(number: commit, offset: offset + notes.count, end: end)
  }

  /// The block of the ends that the next filing covers; empty for none.
  private var endBlock: [UInt8] { ends.isEmpty ? [] : StartNote.block(ends, generation: generation) }

  /// Returns the block of a commit. The block is a filing if it covers the notes before it. Runs without a row follow a filing,
  /// because they may be noted nowhere else.
  private func block(of commit: Int64, coversNotes: Bool) -> [UInt8] {
    StartNote.block(
      coversNotes ? sortedUnfinished : [],
      behind: StartNote.Filing(commit: commit, boot: boot, coversNotes: coversNotes), generation: generation)
  }

  /// Begins the file anew in one write: first `notes`, then a filing by `commit` if it is not `nil`, then `unfiled`.
  private func begin(with notes: [Attempt], filed commit: Int64? = nil, unfiled: [Attempt] = []) {
    generation &+= 1
    (length, filing, bareCommit, checkpointLength) = (0, nil, nil, Self.byteCountOfCheckpoint)
    var blocks = notes.isEmpty ? [] : StartNote.block(notes, generation: generation)
    if commit != nil { blocks += endBlock }
    let offset = blocks.count
    if let commit { blocks += block(of: commit, coversNotes: true) }
    let end = blocks.count
    if !unfiled.isEmpty { blocks += StartNote.block(unfiled, generation: generation) }
    guard !blocks.isEmpty, let length = write(blocks, at: 0) else {
      // Old notes must not stay, because the next daemon would add their starts to the ledger a second time.
      try? file?.write(StartNote.end, at: 0)
      return
    }
    self.length = length
    if let commit { filing = NotedCommit(number: commit, offset: offset, end: end) }
  }

  /// Makes room when the disk is full. Earlier starts of a job that are not open are dropped, because the job's last start
  /// shows that its earlier entries are decided.
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
    begin(with: filed, filed: filing?.number, unfiled: unfiled)
    return true
  }

  /// Returns the notes in a part of the file, with the ends behind the starts. `isKept` is called for the last note first.
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
