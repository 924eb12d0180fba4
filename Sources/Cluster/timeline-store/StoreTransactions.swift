internal import TimelineStoreSQL
internal import TimelineStoreWire

/// Reason why a transaction had no result.
enum TransactionFault: Error {
  /// The failure of the call, for the reply.
  case failure(StoreFailure)
  /// The transaction lost against other transactions, and can be repeated.
  case collision(ServerError)
  /// The reply is too long for a message, and the transaction was rolled back. The value is the same call for fewer jobs.
  case tooLong(StoreCall)

  /// Returns the result of `body`. Wraps its failure in ``failure(_:)``.
  static func wrapping<Value>(_ body: () throws(StoreFailure) -> Value) throws(TransactionFault) -> Value {
    do throws(StoreFailure) { return try body() } catch { throw .failure(error) }
  }
}

/// Transactions on one connection. The connection is opened when needed.
final class StoreTransactions {
  private let credential: CredentialFile
  private let wait: ServerWait
  private var connection: PostgresConnection?

  init(credential: CredentialFile, wait: ServerWait) { (self.credential, self.wait) = (credential, wait) }

  /// Performs `body` in an atomic transaction.
  ///
  /// The server rolls back a transaction whose connection is lost. A failure before the commit was sent therefore had no
  /// effect.
  func perform<Value>(
    _ kind: StoreTransaction.Kind, _ body: (OpenTransaction) throws(TransactionFault) -> Value
  ) throws(TransactionFault) -> Value {
    let transaction = try begin(kind)
    let value: Value
    do throws(TransactionFault) { value = try body(transaction) } catch {
      undo(transaction.connection)
      throw error
    }
    try commit(transaction.connection, kind)
    return value
  }

  private func begin(_ kind: StoreTransaction.Kind) throws(TransactionFault) -> OpenTransaction {
    let text = StoreTransaction.begin(kind)
    while true {
      let kept = self.connection
      let connection: PostgresConnection
      if let kept { connection = kept } else { connection = try connect() }
      self.connection = connection
      do throws(PostgresConnection.Fault) {
        return OpenTransaction(connection: connection, firstValue: try connection.run(text).value)
      } catch {
        guard case .lost = error else {
          undo(connection)
          throw error.beforeCommit
        }
        self.connection = nil
        // The server may have closed an idle connection; the next iteration connects again.
        if kept == nil { throw error.beforeCommit }
      }
    }
  }

  private func connect() throws(TransactionFault) -> PostgresConnection {
    let info: String
    do throws(CredentialFile.Refusal) { info = try credential.connectionString() } catch {
      throw .failure(StoreFailure(.refused, error.message))
    }
    do throws(PostgresConnection.Fault) { return try PostgresConnection(info: info, wait: wait) } catch {
      throw error.beforeCommit
    }
  }

  private func commit(_ connection: PostgresConnection, _ kind: StoreTransaction.Kind)
    throws(TransactionFault)
  {
    do throws(PostgresConnection.Fault) {
      guard try connection.run(StoreTransaction.commit).tag == StoreTransaction.committedTag else {
        throw .server(ServerError(state: "40000", message: "the transaction was rolled back"))
      }
    } catch {
      undo(connection)
      switch error {
      case .server(let error): throw .failure(kind == .reading ? error.failure : error.failureOfCommit)
      case .lost(let text) where kind != .reading:
        throw .failure(
          StoreFailure(.undecided, "postgresql: \(text): the call may have had its effect"))
      case .lost: throw error.beforeCommit
      }
    }
  }

  /// Rolls the transaction back. Drops the connection if the rollback fails.
  private func undo(_ connection: PostgresConnection) {
    if (try? connection.run(StoreTransaction.rollback)) == nil { self.connection = nil }
  }
}

extension PostgresConnection.Fault {
  /// The fault of a transaction whose commit was not sent.
  var beforeCommit: TransactionFault {
    switch self {
    case .server(let error): error.isCollision ? .collision(error) : .failure(error.failure)
    case .lost(let text):
      .failure(StoreFailure(.unavailable, "postgresql: \(text): start it, or correct the connection string"))
    }
  }
}

/// A transaction that has begun.
struct OpenTransaction {
  let connection: PostgresConnection
  /// First value that the text of ``StoreTransaction/begin(_:)`` returned: the version of the tables, or their state.
  let firstValue: String?

  /// Runs a statement. Returns the first value of its result.
  func run(_ statement: StoreStatement) throws(TransactionFault) -> String? {
    do throws(PostgresConnection.Fault) { return try connection.run(statement).value } catch {
      throw error.beforeCommit
    }
  }

  /// Checks the version of the tables, and reads the cluster's number and the high bits of new tokens.
  func place(of caller: StoreCaller) throws(TransactionFault) -> StorePlace {
    try TransactionFault.wrapping { () throws(StoreFailure) in
      try StoreTransaction.check(version: firstValue)
    }
    let row = try run(StorePlace.statement(cluster: caller.cluster))
    return try TransactionFault.wrapping { () throws(StoreFailure) in
      try StorePlace(row: row, caller)
    }
  }
}
