internal import CPQ
internal import Glibc
internal import TimelineStoreSQL
internal import TimelineSystem

/// One connection to a server, used by one thread.
///
/// Safe although it holds a C pointer: the pointer is set by `init`, freed by `deinit`, and used by this type alone.
@safe
final class PostgresConnection {
  /// Reason why a statement has no result.
  enum Fault: Error {
    /// The server answered with an error. The connection can still be used.
    case server(ServerError)
    /// The connection is lost. The text is a line for the operator.
    case lost(String)
  }

  /// Result of a statement.
  struct Outcome {
    /// First column of the first row; `nil` without a row or for NULL.
    var value: String?
    /// Command tag of the server.
    var tag: String
  }

  private let connection: OpaquePointer?
  private let wait: ServerWait

  /// Connects. `info` is a connection string or URI of libpq.
  init(info: String, wait: ServerWait) throws(Fault) {
    self.wait = wait
    unsafe connection = unsafe timeline_pq_connect(info)
    guard unsafe PQstatus(connection) == CONNECTION_OK else {
      throw .lost(ConnectionString(info).blanked(errorText))
    }
    unsafe timeline_pq_ignore_notices(connection)
  }

  deinit { unsafe PQfinish(connection) }

  private var errorText: String {
    guard let text = unsafe PQerrorMessage(connection) else { return "out of memory" }
    let lines = unsafe String(cString: text).split(separator: "\n").map(\.printable)
    return lines.isEmpty ? "the connection was closed" : lines.joined(separator: "; ")
  }

  /// Runs statements without parameters in one message. Returns the result of the last statement.
  func run(_ text: String) throws(Fault) -> Outcome {
    guard unsafe PQsendQuery(connection, text) == 1 else { throw .lost(errorText) }
    return try receive()
  }

  /// Runs one statement.
  func run(_ statement: StoreStatement) throws(Fault) -> Outcome {
    // A C string would end at the NUL character and be a different text.
    guard !statement.parameters.contains(where: { $0?.utf8.contains(0) == true }) else {
      throw .server(ServerError(state: "22021", message: "a text has a NUL character"))
    }
    let texts = unsafe statement.parameters.map { text in unsafe text.flatMap { unsafe strdup($0) } }
    defer { unsafe texts.forEach { unsafe free($0) } }
    let pointers = unsafe texts.map { unsafe UnsafePointer<CChar>($0) }
    let isSent = unsafe pointers.withUnsafeBufferPointer {
      unsafe PQsendQueryParams(
        connection, statement.sql, CInt($0.count), nil, $0.baseAddress, nil, nil, 0)
    }
    guard isSent == 1 else { throw .lost(errorText) }
    return try receive()
  }

  private func receive() throws(Fault) -> Outcome {
    var outcome = Outcome(value: nil, tag: "")
    var fault: Fault?
    while true {
      while unsafe PQisBusy(connection) == 1 {
        wait.untilReadable(unsafe PQsocket(connection))
        guard unsafe PQconsumeInput(connection) == 1 else { throw .lost(errorText) }
      }
      guard let result = unsafe PQgetResult(connection) else { break }
      switch unsafe PQresultStatus(result) {
      case PGRES_TUPLES_OK: outcome = unsafe Outcome(value: Self.value(result), tag: Self.tag(result))
      case PGRES_COMMAND_OK: outcome = unsafe Outcome(value: nil, tag: Self.tag(result))
      default: fault = fault ?? .server(unsafe Self.error(result))
      }
      unsafe PQclear(result)
    }
    guard let fault else { return outcome }
    guard unsafe PQstatus(connection) == CONNECTION_OK else { throw .lost(errorText) }
    throw fault
  }

  private static func value(_ result: OpaquePointer) -> String? {
    guard unsafe PQntuples(result) > 0, unsafe PQnfields(result) > 0, unsafe PQgetisnull(result, 0, 0) == 0,
      let bytes = unsafe PQgetvalue(result, 0, 0)
    else { return nil }
    return unsafe String(cString: bytes)
  }

  private static func tag(_ result: OpaquePointer) -> String {
    unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? ""
  }

  private static func error(_ result: OpaquePointer) -> ServerError {
    let state = unsafe timeline_pq_state(result).map { unsafe String(cString: $0) }
    let message = unsafe timeline_pq_message(result).map { unsafe String(cString: $0) }
    // An error without a state comes from libpq itself, for example when it runs out of memory.
    return ServerError(state: state ?? "08000", message: (message ?? "no message").printable)
  }
}
