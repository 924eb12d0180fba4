import CSQLite

/// One connection to SQLite, used on one thread; statements are prepared once and kept.
///
/// Safe although it holds a C pointer: the pointer is private, set once by `init` and closed by `deinit`, after its
/// statements.
@safe
final class Database {
  let path: String
  private var connection: OpaquePointer?
  private var statements: [String: Statement] = [:]

  /// Opens or makes the file at `path`; `:memory:` keeps everything in memory.
  ///
  /// WAL with `synchronous=NORMAL`: what is committed survives the death of the process. It survives the loss of power
  /// only from the next checkpoint on.
  init(path: String) throws(LedgerError) {
    self.path = path
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &connection, flags, nil)
    if code != SQLITE_OK {
      let reason = unsafe String(cString: sqlite3_errstr(code))
      unsafe sqlite3_close_v2(connection)
      unsafe connection = nil
      throw .database(path: path, doing: "opening the ledger", reason: reason)
    }
    // Two daemons on one ledger would run every entry twice: that must show, and soon. A backup program that looks at the
    // file for a moment is waited for.
    try execute("PRAGMA busy_timeout=250")
    try execute("PRAGMA locking_mode=EXCLUSIVE")
    try execute("PRAGMA journal_mode=WAL")
    try execute("PRAGMA synchronous=NORMAL")
    try execute("PRAGMA foreign_keys=ON")
  }

  deinit { close() }

  /// Writes everything into the one file and lets go of it; whatever is asked after that fails.
  func close() {
    statements.removeAll()
    unsafe sqlite3_close_v2(connection)
    unsafe connection = nil
  }

  /// Whether a transaction is open: after some failures SQLite has already given it up, after others it has not.
  var isInTransaction: Bool { unsafe connection != nil && sqlite3_get_autocommit(connection) == 0 }

  /// Runs statements that take no values and give no rows.
  func execute(_ sql: String) throws(LedgerError) {
    let code = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
    if code & 0xFF == SQLITE_BUSY { throw .inUse(path: path) }
    if code != SQLITE_OK { throw failure(sql) }
  }

  /// Runs one statement with `values`, giving each row to `row`.
  func run(
    _ sql: String, _ values: [Value] = [], row: (borrowing Row) -> Void = { _ in }
  ) throws(LedgerError) {
    let statement = try prepared(sql)
    defer { statement.reset() }
    for (index, value) in values.enumerated() {
      if statement.bind(value, at: Int32(index + 1)) != SQLITE_OK { throw failure(sql) }
    }
    while true {
      switch unsafe sqlite3_step(statement.pointer) {
      case SQLITE_ROW: row(unsafe Row(statement: statement.pointer))
      case SQLITE_DONE: return
      default: throw failure(sql)
      }
    }
  }

  private func prepared(_ sql: String) throws(LedgerError) -> Statement {
    if let statement = statements[sql] { return statement }
    var pointer: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
    guard code == SQLITE_OK, let pointer = unsafe pointer else { throw failure(sql) }
    let statement = unsafe Statement(pointer: pointer)
    statements[sql] = statement
    return statement
  }

  private func failure(_ sql: String) -> LedgerError {
    let reason = unsafe String(cString: sqlite3_errmsg(connection))
    return .database(path: path, doing: String(sql.prefix(60)), reason: reason)
  }
}

/// What is bound to a statement's parameter.
enum Value {
  case integer(Int64)
  case text(String)
  case blob([UInt8])
  case null

  static func instant(_ nanoseconds: Int64?) -> Value { nanoseconds.map { .integer($0) } ?? .null }
}

/// One row of a result; good only while it is being visited, which its being lent to a closure ensures.
@safe
struct Row: ~Copyable {
  private let statement: OpaquePointer

  init(statement: OpaquePointer) { unsafe self.statement = statement }

  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

  func optionalInteger(_ column: Int32) -> Int64? {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : integer(column)
  }

  func text(_ column: Int32) -> String {
    guard let bytes = unsafe sqlite3_column_text(statement, column) else { return "" }
    return unsafe String(cString: bytes)
  }

  func optionalText(_ column: Int32) -> String? {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : text(column)
  }

  func blob(_ column: Int32) -> [UInt8] {
    let count = Int(unsafe sqlite3_column_bytes(statement, column))
    guard count > 0, let bytes = unsafe sqlite3_column_blob(statement, column) else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }
}

/// A prepared statement; `Database` alone holds it and lets go of it before it closes the connection.
@safe
private final class Statement {
  let pointer: OpaquePointer

  init(pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

  deinit { unsafe sqlite3_finalize(pointer) }

  func reset() {
    unsafe sqlite3_reset(pointer)
    unsafe sqlite3_clear_bindings(pointer)
  }

  func bind(_ value: Value, at index: Int32) -> Int32 {
    switch value {
    case .integer(let number): unsafe sqlite3_bind_int64(pointer, index, number)
    case .null: unsafe sqlite3_bind_null(pointer, index)
    case .text(let text):
      unsafe sqlite3_bind_text(pointer, index, text, -1, timeline_sqlite_transient())
    case .blob(let bytes):
      unsafe bytes.withUnsafeBytes { buffer in
        unsafe sqlite3_bind_blob(
          pointer, index, buffer.baseAddress, Int32(buffer.count), timeline_sqlite_transient())
      }
    }
  }
}
