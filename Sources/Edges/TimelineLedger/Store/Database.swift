import CSQLite
import TimelineCore

/// One connection to SQLite, used by one thread at a time. Hot statements are prepared once and kept.
///
/// Safe although it holds a C pointer: `init` sets it, ``close()`` finalizes its statements, closes it and sets it to `nil`. Besides
/// this type, only ``LedgerBackup`` uses it.
@safe
final class Database {
  let path: String
  /// Whether there is a file that outlives the process.
  let isDurable: Bool
  /// Whether a write-ahead log without a final checkpoint was found, as after a crash.
  let hadLog: Bool
  private(set) var connection: OpaquePointer?
  private var kept: [Statement?] = Array(repeating: nil, count: CachedStatement.allCases.count)
  /// Number of completed waits for the disk, for tests. A ``checkpoint()`` counts as one wait.
  private(set) var waitCount = 0
  /// Number of pages that the write-ahead log gained since the last checkpoint. Pages of an earlier process count as one.
  private var logPages: Int64 = 1
  /// Number of the last transaction with a change. The mark `commits` in the file has this number and reveals a lost log.
  private(set) var commitNumber: Int64 = 0
  /// Number of the last transaction that is in the file itself, on the disk; `nil` before the first ``checkpoint()``.
  private(set) var checkpointedNumber: Int64?
  /// Whether transactions are counted. Counting begins with ``takeCharge()``: the table for the mark may be missing before.
  private var isCounting = false
  /// Whether a sync of the log has failed since the last checkpoint.
  private var isLogSuspect = false
  /// Result code that syncs of the log return at once if it is not `nil`; for tests.
  var syncFailure: Int32?

  /// Size in bytes that the log keeps when it restarts: the size of a long log, so that its space need not be allocated again.
  private static let logByteCountKept = 1 << 20

  /// Space in bytes that is reserved for the file's growth. It is enough for an overlong log: ends of runs change most of its
  /// pages repeatedly.
  private static let reserveByteCount: Int32 = 768 << 10
  /// Step in bytes by which the file grows: large enough for few steps per day, and small enough for a small partition.
  private static let chunkByteCount: Int32 = 256 << 10
  /// Limits of the page cache in KiB. The first limit applies while the whole file is checked, because the check reads no page
  /// twice. The second limit applies later: it has room for the pages that the commits of a few hundred jobs change.
  private static let (openingCacheKibibytes, cacheKibibytes) = (128, 1_024)
  /// Whether the disk has no room for the reserve.
  private(set) var isShort = false
  /// Whether the file was made by this connection and has not been synced since.
  private(set) var isNew = false

  /// Allows the remaining reserve to be used up, because nothing is written later.
  func giveUpReserve() { isShort = false }

  /// Opens or makes the file at `path`; `:memory:` keeps everything in memory.
  ///
  /// WAL with `synchronous=NORMAL` and without automatic checkpoints: no commit waits for the disk, except
  /// the first commit into a restarted log; see ``checkpoint()``. Committed changes survive the death of the process. They
  /// survive a loss of power after the next ``syncLog()`` or ``checkpoint()``.
  ///
  /// Two daemons on one ledger would run every entry twice, so this process has exclusive access to the file. If a backup
  /// program or a reader has the file open, the call waits at most for `lockLimit`.
  init(path: String, lockLimit: ElapsedTime = .seconds(5)) throws(LedgerError) {
    self.path = path
    isDurable = path != ":memory:"
    hadLog = isDurable && DatabaseFiles.hasLog(at: path)
    if isDurable, DatabaseFiles.hasOnlyLog(at: path) {
      throw .damaged(path: path, reason: "it is empty and its log, \(path)-wal, is not")
    }
    if isDurable { DatabaseFiles.makePrivate(at: path) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &connection, flags, nil)
    if code != SQLITE_OK {
      let error = failure("opening the ledger", code)
      close()
      throw error
    }
    // SQLite falls back to read-only access, and would report the failure much later with another message.
    if unsafe sqlite3_db_readonly(connection, "main") == 1 {
      close()
      throw .database(path: path, doing: "opening the ledger", reason: "it can be read and not written")
    }
    unsafe timeline_sqlite_keep_files(connection, 1)
    try execute("PRAGMA busy_timeout=\(lockLimit.nanoseconds / 1_000_000)")
    try execute("PRAGMA locking_mode=EXCLUSIVE")
    try run("SELECT page_count = 0 FROM pragma_page_count") { isNew = $0.integer(0) == 1 }
    // The six syncs of a new file are skipped, because it has nothing to lose yet; ``syncLog()`` makes up for them.
    try execute("PRAGMA synchronous=\(isNew ? "OFF" : "NORMAL")")
    try execute("PRAGMA journal_mode=WAL")
    try execute("PRAGMA wal_autocheckpoint=0")
    try execute("PRAGMA cache_size=-\(Self.openingCacheKibibytes)")
    // After a checkpoint, the log is truncated to `logByteCountKept`.
    try execute("PRAGMA journal_size_limit=\(Self.logByteCountKept)")
    try execute("PRAGMA foreign_keys=ON")
  }

  deinit { close() }

  /// Closes the file. Any later use fails.
  func close() {
    for index in kept.indices { kept[index] = nil }
    if unsafe connection != nil { setChunk(0) }
    // The log with this name now belongs to another file.
    if hasMoved { unsafe timeline_sqlite_keep_files(connection, 1) }
    unsafe sqlite3_close_v2(connection)
    unsafe connection = nil
  }

  /// Lets ``close()`` merge the log into the one file. Before this call, the files are left as they were found, so that a
  /// damaged ledger can be examined.
  func takeCharge() throws(LedgerError) {
    unsafe timeline_sqlite_keep_files(connection, 0)
    try execute("PRAGMA synchronous=NORMAL")
    try? execute("PRAGMA cache_size=-\(Self.cacheKibibytes)")
    try run("SELECT value FROM mark WHERE name = 'commits'") { commitNumber = $0.integer(0) }
    isCounting = isDurable
    reserve()
  }

  /// Raises the number of counted transactions to `number` if it is lower.
  func countCommits(from number: Int64) { commitNumber = max(commitNumber, number) }

  /// Runs statements without values and rows.
  func execute(_ sql: String) throws(LedgerError) {
    guard unsafe connection != nil else { throw closed }
    let code = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
    if code != SQLITE_OK { throw failure(String(sql.prefix(60)), code) }
  }

  /// Runs one statement with `values` and passes each row to `row`. The statement is not kept.
  func run(
    _ sql: String, _ values: [Value] = [], row: (borrowing Row) -> Void = { _ in }
  ) throws(LedgerError) {
    let statement = try prepare(sql, keeping: false)
    let purpose = String(sql.prefix(60))
    for index in values.indices {
      let code = statement.bind(values[index], at: Int32(index + 1))
      if code != SQLITE_OK { throw failure(purpose, code) }
    }
    try run(statement, purpose, row)
  }

  /// Runs a kept statement.
  func run<let count: Int>(
    _ hot: CachedStatement, _ values: InlineArray<count, Value>, row: (borrowing Row) -> Void = { _ in }
  ) throws(LedgerError) {
    let statement = try keptStatement(hot)
    defer { statement.reset() }
    for index in values.indices {
      let code = statement.bind(values[index], at: Int32(index + 1))
      if code != SQLITE_OK { throw failure(hot.purpose, code) }
    }
    try run(statement, hot.purpose, row)
  }

  /// Runs a kept statement without values.
  func run(_ hot: CachedStatement) throws(LedgerError) {
    let statement = try keptStatement(hot)
    defer { statement.reset() }
    try run(statement, hot.purpose) { _ in }
  }

  /// Runs `first`. If it changed no row, runs `second` with the same values.
  func run<let count: Int>(
    _ first: CachedStatement, orElse second: CachedStatement, _ values: InlineArray<count, Value>
  ) throws(LedgerError) {
    try run(first, values)
    if !hasChangedRows { try run(second, values) }
  }

  /// Prepares every kept statement. Fails if a table or a column is missing.
  func prepareAll() throws(LedgerError) {
    for hot in CachedStatement.allCases { kept[hot.rawValue] = try prepare(hot.sql, keeping: true) }
  }

  private func keptStatement(_ hot: CachedStatement) throws(LedgerError) -> Statement {
    if let known = kept[hot.rawValue] { return known }
    let statement = try prepare(hot.sql, keeping: true)
    kept[hot.rawValue] = statement
    return statement
  }

  private func run(
    _ statement: Statement, _ purpose: String, _ row: (borrowing Row) -> Void
  ) throws(LedgerError) {
    while true {
      let code = unsafe sqlite3_step(statement.pointer)
      switch code {
      case SQLITE_ROW: row(unsafe Row(statement: statement.pointer))
      case SQLITE_DONE: return
      default: throw failure(purpose, code)
      }
    }
  }

  private func prepare(_ sql: String, keeping: Bool) throws(LedgerError) -> Statement {
    guard unsafe connection != nil else { throw closed }
    var pointer: OpaquePointer?
    let flags = keeping ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = unsafe sqlite3_prepare_v3(connection, sql, -1, flags, &pointer, nil)
    guard code == SQLITE_OK, let pointer = unsafe pointer else { throw failure(String(sql.prefix(60)), code) }
    return unsafe Statement(pointer: pointer)
  }
}

// Transactions and the disk.
extension Database {
  /// Whether a transaction is open. SQLite ends a transaction after some failures, but not after others.
  var isInTransaction: Bool { unsafe connection != nil && sqlite3_get_autocommit(connection) == 0 }

  /// Performs `body` atomically. Must not be called from within itself.
  func transaction(_ body: () throws(LedgerError) -> Void) throws(LedgerError) {
    var isCounted = false
    do {
      try run(.begin)
      let changeCount = changeCount
      try body()
      isCounted = isCounting && self.changeCount != changeCount
      if isCounted { try writeCommitNumber() }
      try run(.commit)
    } catch {
      // A transaction that cannot be ended, as on a full disk, would block every later one.
      if isInTransaction { try? run(.rollback) }
      throw error
    }
    if isCounted { commitNumber += 1 }
    logPages += takeWrittenPages()
  }

  private func writeCommitNumber() throws(LedgerError) {
    try run(.mark, [.text("commits"), .integer(commitNumber + 1)])
  }

  /// Waits until all committed changes are on the disk.
  ///
  /// After a failure, the kernel regards the unwritten pages as written and reports success the next time. From then on only a
  /// checkpoint is trusted, because it writes and syncs the pages again.
  func syncLog() throws(LedgerError) {
    guard isDurable, unsafe connection != nil else { return }
    if isLogSuspect { return try checkpoint() }
    // The file first: a log is useless without it. New directory entries are synced with the log.
    if isNew { try wait(unsafe timeline_sqlite_sync_file(connection)) }
    isNew = false
    try wait(unsafe syncFailure ?? timeline_sqlite_sync_log(connection))
    waitCount += 1
  }

  private func wait(_ code: Int32) throws(LedgerError) {
    guard code != SQLITE_OK else { return }
    isLogSuspect = true
    throw failure("waiting for the disk", code)
  }

  /// Whether ``checkpoint()`` has work to do.
  var hasLog: Bool { isDurable && logPages > 0 }

  /// Whether the log is long enough for a ``checkpoint()`` while the daemon is idle: 1 MiB, some milliseconds of work and two
  /// syncs. A state directory may be a partition of a few megabytes.
  var hasLongLog: Bool { logPages > 256 }

  /// Whether the log is too long to wait until the daemon is idle: 2 MiB.
  var hasOverlongLog: Bool { logPages > 512 }

  /// Writes the write-ahead log into the file, and syncs.
  func checkpoint() throws(LedgerError) {
    guard isDurable, unsafe connection != nil else { return }
    var (logged, moved) = (Int32(0), Int32(0))
    let code = unsafe sqlite3_wal_checkpoint_v2(
      connection, nil, SQLITE_CHECKPOINT_PASSIVE, &logged, &moved)
    if code != SQLITE_OK {
      if code == timeline_sqlite_failed_sync() { isLogSuspect = true }
      throw failure("putting the log into the file", code)
    }
    (isLogSuspect, isNew) = (false, false)
    if moved == logged { checkpointedNumber = commitNumber }
    waitCount += 1
    reserve()
    // The first commit into a restarted log waits for the disk, so it must not be the commit of a start.
    try transaction { () throws(LedgerError) in try writeCommitNumber() }
    logPages = 0
  }

  /// Reserves disk space for the growth of the file at the next checkpoint. If the disk is full at that time, the log can still
  /// restart and watermarks can still be written. ``isShort`` shows whether there was no room.
  func reserve() {
    guard isDurable, unsafe connection != nil else { return }
    var size: Int64 = 0
    try? run("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") {
      size = $0.integer(0)
    }
    size += Int64(Self.reserveByteCount)
    setChunk(Self.chunkByteCount)
    isShort = unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_SIZE_HINT, &size) != SQLITE_OK
  }

  /// Treats the log as short, so that a checkpoint without room is not tried in every iteration of the loop.
  func putOffCheckpoint() { logPages = 1 }

  private func takeWrittenPages() -> Int64 {
    var (current, highest) = (Int32(0), Int32(0))
    unsafe sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 1)
    return Int64(current)
  }
}
