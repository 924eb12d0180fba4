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
    let count = Int(unsafe sqlite3_column_bytes(statement, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : text(column)
  }

  func blob(_ column: Int32) -> [UInt8] {
    // The pointer first: asking for it may turn the value into another type, and change its length.
    guard let bytes = unsafe sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(statement, column))
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }
}

/// A prepared statement; `Database` alone holds it and lets go of it before it closes the connection.
///
/// Short texts and bytes that are bound to it stand in a place of its own until it is bound anew: SQLite would find room for a copy
/// of each, and give it back.
@safe
final class Statement {
  let pointer: OpaquePointer
  private let desk: UnsafeMutableRawPointer
  private var deskCount = 0
  private var hasCopies = false

  /// Size of the buffer for bound values: a name, two words and a line.
  private static let deskByteCount = 512

  init(pointer: OpaquePointer) {
    unsafe self.pointer = unsafe pointer
    unsafe desk = .allocate(byteCount: Self.deskByteCount, alignment: 1)
  }

  deinit {
    unsafe sqlite3_finalize(pointer)
    unsafe desk.deallocate()
  }

  func reset() {
    unsafe sqlite3_reset(pointer)
    deskCount = 0
    // What is on the desk may stay bound: nothing runs before all of it is bound anew.
    guard hasCopies else { return }
    hasCopies = false
    unsafe sqlite3_clear_bindings(pointer)
  }

  func bind(_ value: Value, at index: Int32) -> Int32 {
    switch value {
    case .integer(let number): return unsafe sqlite3_bind_int64(pointer, index, number)
    case .null: return unsafe sqlite3_bind_null(pointer, index)
    case .text(var text):
      return text.withUTF8 { bytes in
        let bytes = UnsafeRawBufferPointer(bytes)
        let (start, owner) = unsafe place(bytes)
        return unsafe sqlite3_bind_text(
          pointer, index, start.assumingMemoryBound(to: CChar.self), Int32(bytes.count), owner)
      }
    case .blob(let bytes):
      return unsafe bytes.withUnsafeBytes { bytes in
        let (start, owner) = unsafe place(bytes)
        return unsafe sqlite3_bind_blob(pointer, index, start, Int32(bytes.count), owner)
      }
    }
  }

  /// Copies `bytes` to the buffer if they fit. Returns their address, and the destructor by which SQLite copies them if they did not
  /// fit. Empty bytes have an address too, because SQLite binds a null pointer as NULL.
  private func place(_ bytes: UnsafeRawBufferPointer) -> (UnsafeRawPointer, sqlite3_destructor_type?) {
    guard bytes.count <= Self.deskByteCount - deskCount, let start = bytes.baseAddress else {
      hasCopies = true
      return unsafe (bytes.baseAddress ?? UnsafeRawPointer(desk), timeline_sqlite_transient())
    }
    let place = unsafe desk + deskCount
    unsafe place.copyMemory(from: start, byteCount: bytes.count)
    deskCount += bytes.count
    return (UnsafeRawPointer(place), nil)
  }
}
