internal import TimelineStoreSQL
internal import TimelineStoreWire

/// Performs calls in PostgreSQL, each in its own transaction. The session keeps a connection, but no state on which a call
/// depends.
final class StoreSession: CallSession {
  /// Maximum number of repetitions of a transaction that lost against others, for example when nodes create the tables at the
  /// same time. Each attempt finds the result of the transaction for which the previous attempt waited.
  private static let collisionsMax = 4

  private let transactions: StoreTransactions
  /// Place of the last call, if that call was a renewal.
  private var placeOfRenewal: StorePlace?

  init(_ transactions: StoreTransactions) { self.transactions = transactions }

  func perform(_ request: StoreRequest) throws(StoreFailure) -> StoreReply {
    placeOfRenewal = nil
    let caller = request.caller
    var call = request.call
    var collisionsLeft = Self.collisionsMax
    while true {
      do throws(TransactionFault) {
        if case .initialize = call { return try initialize(caller.cluster) }
        return try attempt(call, of: caller)
      } catch {
        switch error {
        case .failure(let failure): throw failure
        case .collision(let error) where collisionsLeft == 0: throw error.failure
        case .collision: collisionsLeft -= 1
        case .tooLong(let smaller): call = smaller
        }
      }
    }
  }

  func tidyAfterRenewal() {
    guard let place = placeOfRenewal.take() else { return }
    _ = try? transactions.perform(.call) { (transaction) throws(TransactionFault) in
      for statement in Tidying.statements(in: place) { _ = try transaction.run(statement) }
    }
  }

  private func attempt(_ call: StoreCall, of caller: StoreCaller) throws(TransactionFault) -> StoreReply {
    try transactions.perform(call.transactionKind) { (transaction) throws(TransactionFault) -> StoreReply in
      let place = try transaction.place(of: caller)
      guard let plan = CallPlan(call, in: place) else { preconditionFailure("only initialize has no plan") }
      var last: String?
      for statement in plan.statements { last = try transaction.run(statement) }
      let reply = try TransactionFault.wrapping { () throws(StoreFailure) in try plan.reply(last) }
      if let smaller = call.smaller(afterReply: reply) { throw .tooLong(smaller) }
      if call.method == .renew { placeOfRenewal = place }
      return reply
    }
  }

  private func initialize(_ cluster: String) throws(TransactionFault) -> StoreReply {
    try transactions.perform(.tables) { (transaction) throws(TransactionFault) -> StoreReply in
      let state = try TransactionFault.wrapping { () throws(StoreFailure) in
        try StoreTables.State(row: transaction.firstValue)
      }
      let version =
        state.hasTables ? try transaction.run(StoreTables.lockingVersion).flatMap { Int($0) } ?? 0 : 0
      if version > StoreTables.version {
        try TransactionFault.wrapping { () throws(StoreFailure) in
          try StoreTransaction.check(version: String(version))
        }
      }
      for statement in StoreTables.statements(
        from: version, hasSchema: state.hasSchema, cluster: cluster)
      {
        _ = try transaction.run(statement)
      }
      return .done
    }
  }
}
