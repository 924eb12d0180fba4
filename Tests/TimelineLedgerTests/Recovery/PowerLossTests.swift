import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineTestSupport

@testable import TimelineLedger

/// Daemons that die and machines that lose power, repeatedly, on one ledger.
///
/// After a loss of power, the disk has the state of the last sync: a copy of the files is taken at the beginning of each sync,
/// and the next daemon continues with the copy. Calls of plugins stay counted. A start that need not wait for the disk is logged
/// first and written to the ledger later, as in the daemon; the start log survives only the death of a process. Sometimes the
/// write-ahead log is lost or cut when a process has died: starts stay in the start log until the ledger's file has them.
@Suite struct `Guarantees over process death and loss of power` {
  private static let seedRun = SeedRun(lane: "ledger over loss of power", suite: "PowerLossTests")

  private func keepsPromises(_ seed: UInt64) throws -> Bool {
    var life = try Life(seed: seed, tellsBoots: true)
    let complaints = try life.complaints()
    #expect(complaints == [], "seed \(seed): \(Self.seedRun.command(repeating: seed))")
    return complaints.isEmpty
  }

  @Test(arguments: 0..<6)
  func `no at-most-once entry runs twice, no at-least-once entry is lost, and every entry ends`(group: UInt64)
    throws
  {
    for seed in group * 10..<group * 10 + 10 { _ = try keepsPromises(seed) }
  }

  @Test(.enabled(if: SeedChoice.seed != nil)) func `the seed that was asked for`() throws {
    _ = try keepsPromises(try #require(SeedChoice.seed))
  }

  @Test(.enabled(if: SeedChoice.seconds != nil)) func `new seeds for as long as asked`() throws {
    try Self.seedRun.run { try keepsPromises($0) }
  }

  @Test func `the suite detects a ledger that treats a loss of power as a process death`()
    throws
  {
    let alarms = try (1...40 as ClosedRange<UInt64>).count { seed in
      var life = try Life(seed: seed, tellsBoots: false)
      return try !life.complaints().isEmpty
    }
    #expect(alarms > 0)
  }
}

private struct Life {
  let fixture: Fixture
  let tellsBoots: Bool
  let directory: String
  private var random: SeededGenerator
  private var boot = 1
  private var copies = 0
  private var path: String
  private var ledger: Ledger
  /// The files after a loss of power.
  private var safe: String
  private var waits = 0
  /// The files at the beginning of the active sync.
  private var safeNext: String?
  private var thread = SlowThread()
  /// Starts in the start log that the ledger's file may lack if the write-ahead log is lost, each with the number of the commit
  /// that wrote it.
  private var noted: [(attempt: Attempt, commit: Int64)] = []
  private var runNumber: UInt64 = 0
  /// Number of calls of a plugin.
  private var calls: [EntryKey: Int] = [:]
  private var findings: [String] = []

  init(seed: UInt64, tellsBoots: Bool) throws {
    fixture = try Fixture()
    self.tellsBoots = tellsBoots
    random = SeededGenerator(seed: seed)
    directory = temporaryPath()
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    path = directory + "/ledger.sqlite"
    ledger = try fixture.ledger(path, boot: "1")
    try ledger.database.checkpoint()
    safe = try copyLedger(path, to: directory + "/safe0")
    waits = ledger.database.waitCount
  }

  /// Runs thirty entries of two jobs; returns the findings.
  mutating func complaints() throws -> [String] {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var seconds: Int64 = 10
    while seconds <= 300 {
      if try live(seconds) {
        seconds += 10
      } else {
        // The daemon died. The next one starts a few entries later, and continues with the first entry that is still to come.
        seconds = try restart(at: seconds + Int64.random(in: 0...35, using: &random))
      }
    }
    seconds = try restart(at: seconds)
    try judge(before: seconds)
    return findings
  }

  /// Handles the entries at `seconds`; returns whether the daemon is still alive.
  private mutating func live(_ seconds: Int64) throws -> Bool {
    let keys = [fixture.key(seconds), fixture.key(seconds, of: fixture.mail)]
    for key in keys where try ledger.claim([key], at: fixture.at(seconds - 9))[0].verdict != .granted {
      findings.append("\(key) was not there to be claimed")
    }
    try commit()
    if dies() { return false }
    // Sometimes the claim is not on the disk in time, because the daemon is busy or the disk is slow.
    switch Int.random(in: 0..<4, using: &random) {
    case 0: break
    case 1:
      try ledger.syncClaims(at: fixture.at(seconds) - .milliseconds(400))
      takeCopy()
    default:
      try ledger.writeClaims(at: fixture.at(seconds) - .milliseconds(400))
      try beginWait()
      if dies() { return false }
      if Bool.random(using: &random) { try endWait() }
    }
    if dies() { return false }
    for key in keys {
      try call(key, .schedule)
      if dies() { return false }
    }
    for key in keys {
      settle(key, .succeeded)
      if dies() { return false }
      try commit()
      if dies() { return false }
    }
    return true
  }

  private mutating func call(_ key: EntryKey, _ cause: RunCause) throws {
    runNumber += 1
    let attempt = fixture.attempt(key, run: runNumber, cause: cause)
    if ledger.isReady(at: key.nominal) || !ledger.needsDisk(before: attempt) {
      noted.append((attempt, .max))
      ledger.start(attempt)
      if Bool.random(using: &random) { try commit() }
    } else {
      ledger.start(attempt)
      try ledger.commit()
      noted.append((attempt, .max))
      try commit()
    }
    calls[key, default: 0] += 1
  }

  private mutating func beginWait() throws {
    guard ledger.beginDiskWork(on: thread, isQuiet: false) else { return }
    copies += 1
    safeNext = try copyLedger(path, to: directory + "/safe\(copies)")
  }

  private mutating func endWait() throws {
    guard let safeNext else { return }
    try ledger.finishSync()
    (safe, self.safeNext, waits) = (safeNext, nil, ledger.heldDatabase.waitCount)
  }

  private func settle(_ key: EntryKey, _ outcome: Outcome) {
    ledger.settle(fixture.end(key, run: runNumber, outcome))
  }

  private mutating func commit() throws {
    try ledger.commit()
    if ledger.isUpToDate, let commits = ledger.commitProgress {
      noted.removeAll { $0.commit <= commits.inFile ?? 0 }
      for index in noted.indices { noted[index].commit = min(noted[index].commit, commits.last) }
    }
    takeCopy()
    if Int.random(in: 0..<20, using: &random) == 0 {
      ledger.requestCheckpoint()
      try ledger.doDiskWork(isQuiet: true)
      // A sync that began earlier has an older copy.
      safeNext = nil
      takeCopy()
    }
  }

  /// Keeps the present files, if there was a sync.
  private mutating func takeCopy() {
    guard ledger.database.waitCount != waits else { return }
    waits = ledger.database.waitCount
    copies += 1
    if let copy = try? copyLedger(path, to: directory + "/safe\(copies)") { safe = copy }
  }

  private mutating func dies() -> Bool { Int.random(in: 0..<12, using: &random) == 0 }

  /// Starts the next daemon, after the death of a process or a loss of power; returns the second of the next entry.
  private mutating func restart(at seconds: Int64) throws -> Int64 {
    let isPowerLoss = Bool.random(using: &random)
    copies += 1
    (thread, safeNext) = (SlowThread(), nil)
    path = try copyLedger(isPowerLoss ? safe : path, to: directory + "/life\(copies)")
    if isPowerLoss { (boot, noted) = (boot + 1, []) }
    let isLogLost = !isPowerLoss && Int.random(in: 0..<3, using: &random) == 0
    if isLogLost { try loseLog() }
    ledger = try Ledger(path: path, boot: tellsBoots ? "\(boot)" : "always the same")
    waits = -1
    ledger.requestCheckpointAfterCrash()
    let last = ledger.commitProgress?.last ?? 0
    let unknown = noted.filter { $0.commit > last }
    if let filed = unknown.map(\.commit).filter({ $0 < .max }).max() { ledger.countCommits(from: filed) }
    let now = fixture.at(seconds)
    try ledger.adopt(jobs: fixture.jobs, at: now)
    var memory = try ledger.recall(at: now)
    if !unknown.isEmpty {
      try ledger.recover(unknown.map(\.attempt), claimsAreLost: isLogLost)
      memory = try ledger.recall(at: now)
    }
    runNumber = max(runNumber, memory.lastRun.number)
    for run in memory.open {
      if run.entry.job == fixture.mail { try call(run.entry, .recovery) }
      settle(run.entry, run.entry.job == fixture.mail ? .succeeded : .unknown)
    }
    try commit()
    try ledger.doDiskWork(isQuiet: false)
    takeCopy()
    // These jobs accept any delay: all missed entries are run.
    for job in [fixture.backup, fixture.mail] {
      guard let stand = memory.lastSettled[job] else { continue }
      for missed in stride(from: Int64(10), through: seconds, by: 10) where fixture.at(missed) > stand {
        try makeUp(for: fixture.key(missed, of: job), at: now)
      }
    }
    return seconds / 10 * 10 + 10
  }

  private mutating func loseLog() throws {
    let log = URL(filePath: path + "-wal")
    let bytes = try Data(contentsOf: log)
    try bytes.prefix(bytes.count * Int.random(in: 0...7, using: &random) / 8).write(to: log)
    safe = try copyLedger(path, to: directory + "/lost\(copies)")
  }

  private mutating func makeUp(for key: EntryKey, at now: WallInstant) throws {
    switch try ledger.claim([key], at: now)[0].verdict {
    case .denied: return
    case .unknown where key.job == fixture.backup: settle(key, .unknown)
    case .granted, .unknown:
      try call(key, .missed)
      settle(key, .succeeded)
    }
    try commit()
  }

  private mutating func judge(before end: Int64) throws {
    for seconds in stride(from: Int64(10), to: end, by: 10) {
      for key in [fixture.key(seconds), fixture.key(seconds, of: fixture.mail)] {
        let count = calls[key] ?? 0
        let entry = try ledger.entry(of: key.job, at: key.nominal)
        if entry.map(\.isOpen) ?? true { findings.append("\(seconds) of \(key.job) has no end") }
        if key.job == fixture.mail {
          if count == 0 { findings.append("\(seconds) of \(key.job) was lost") }
        } else if count > 1 {
          findings.append("\(seconds) of \(key.job) was run \(count) times")
        } else if count == 0, entry?.record.outcome != .unknown {
          findings.append("\(seconds) of \(key.job) was not run and not called unknown")
        }
      }
    }
  }
}
