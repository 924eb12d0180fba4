internal import FoundationEssentials
package import TimelineStoreWire

/// One SQL statement with its parameters as text; `nil` is NULL.
package struct StoreStatement: Sendable, Equatable {
  package var sql: String
  /// The values of `$1`, `$2` and so on.
  package var parameters: [String?]

  package init(_ sql: String, _ parameters: [String?] = []) {
    (self.sql, self.parameters) = (sql, parameters)
  }
}

/// Statements of one call, all in one transaction. The last statement returns the reply.
///
/// Statements run at the isolation level READ COMMITTED: each statement sees the transactions that committed before it began.
/// Each call first locks the rows on which it depends. The decision is made in a later statement, whose snapshot is later than
/// the locks. The locked rows do not change until the call has committed. To prevent deadlocks, all calls lock in the same
/// order: new rows of `job`, by name; rows of `member`, by epoch; rows of `job`, by number; rows of `claim` and `record`, by
/// key; finally the row of `cluster`.
///
/// An entry is therefore never granted to a node after another node has become the owner of its job:
///
/// - A claim locks the rows of its jobs `for share`; an acquisition changes the row of the job. The two exclude each other. If
///   the claim is first, the new owner waits and then finds the claim. If the acquisition is first, the claim waits and then
///   finds another owner.
/// - An acquisition locks the row of the job's former owner `for share`; a renewal changes the same row. If the renewal is
///   first, the lease lasts and nothing is acquired. If the acquisition is first, the renewal waits. Its view is read by a
///   later statement and names the new owner.
/// - A claim locks no row of `member`, so the claim never waits for a renewal. The claimant's lease can end while the claim
///   runs, but its jobs can be acquired only after the claim.
package struct CallPlan: Sendable {
  package var statements: [StoreStatement]
  /// Returns the reply from the JSON of the last statement.
  package var reply: @Sendable (_ row: String?) throws(StoreFailure) -> StoreReply

  /// Makes a plan whose reply is ``StoreReply/done``.
  init(_ statements: [StoreStatement]) {
    self.statements = statements
    reply = { _ in .done }
  }

  /// Makes a plan whose last statement returns the reply as JSON.
  init<Reply: Decodable & SendableMetatype>(
    _ statements: [StoreStatement], reply: @escaping @Sendable (Reply) -> StoreReply
  ) {
    self.statements = statements
    self.reply = { row throws(StoreFailure) in reply(try StoreJSON.decoded(row)) }
  }

  /// Returns the plan of a call that is within ``CallLimits``; `nil` for ``StoreCall/initialize``, which depends on the
  /// tables.
  package init?(_ call: StoreCall, in place: StorePlace) {
    switch call {
    case .initialize: return nil
    case .join(let call): self.init(call, in: place)
    case .renew(let call): self.init(call, in: place)
    case .leave: self = .leave(in: place)
    case .acquire(let call): self.init(call, in: place)
    case .release(let call): self.init(call, in: place)
    case .claim(let call): self.init(call, in: place)
    case .take(let call): self.init(call, in: place)
    case .withdraw(let call): self.init(call, in: place)
    case .record(let call): self.init(call, in: place)
    case .publish(let call): self.init(call, in: place)
    case .activate(let call): self.init(call, in: place)
    case .pause(let call): self.init(call, in: place)
    case .history(let call): self.init(call, in: place)
    case .status(let call): self.init(call, in: place)
    }
  }
}

extension StoreJSON {
  /// Reads a row of one JSON value.
  static func decoded<Value: Decodable>(_ row: String?) throws(StoreFailure) -> Value {
    do { return try JSONDecoder().decode(Value.self, from: Data((row ?? "").utf8)) } catch {
      throw StoreFailure(
        .refused, "postgresql: the tables gave a row that is not understood: report this error: \(error)")
    }
  }
}
