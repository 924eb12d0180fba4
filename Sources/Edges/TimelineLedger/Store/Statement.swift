import CSQLite
import TimelineCore

/// Value of a statement's parameter.
enum Value {
  case integer(Int64)
  case text(String)
  case blob([UInt8])
  case null

  static func instant(_ instant: WallInstant?) -> Value {
    instant.map { .integer($0.nanosecondsSinceEpoch) } ?? .null
  }
}

/// One row of a result. Valid only within the closure that receives the row.
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
    let count = Int(unsafe sqlite3_column_bytes(statement, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : text(column)
  }

  func blob(_ column: Int32) -> [UInt8] {
    // The pointer first: reading it may convert the value, and change its length.
    guard let bytes = unsafe sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(statement, column))
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }
}

/// A prepared statement. Only `Database` holds the statement, and releases it before it closes the connection.
@safe
final class Statement {
  let pointer: OpaquePointer

  init(pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

  deinit { unsafe sqlite3_finalize(pointer) }

  /// Resets the statement for the next run, and frees the bound values.
  func reset() {
    unsafe sqlite3_reset(pointer)
    unsafe sqlite3_clear_bindings(pointer)
  }

  /// Binds a copy of a value to the parameter of this number. Returns SQLite's code.
  func bind(_ value: Value, at index: Int32) -> Int32 {
    switch value {
    case .integer(let number): unsafe sqlite3_bind_int64(pointer, index, number)
    case .null: unsafe sqlite3_bind_null(pointer, index)
    case .text(let text):
      unsafe sqlite3_bind_text(
        pointer, index, text, Int32(text.utf8.count), timeline_sqlite_transient())
    // SQLite binds a null pointer, which an empty array may have, as NULL.
    case .blob(let bytes) where bytes.isEmpty: unsafe sqlite3_bind_zeroblob(pointer, index, 0)
    case .blob(let bytes):
      unsafe sqlite3_bind_blob(
        pointer, index, bytes, Int32(bytes.count), timeline_sqlite_transient())
    }
  }
}
