package import TimelineStoreWire

extension EtcdCluster {
  /// Performs a call that is within ``CallLimits``. The call may need several transactions, each atomic. A repeated call
  /// continues after the last transaction that was performed.
  package func perform(_ call: StoreCall) throws(StoreFailure) -> StoreReply {
    do throws(StoreFailure) { return try reply(to: call) } catch {
      guard hasWritten, error.kind == .unavailable else { throw error }
      throw StoreFailure(.undecided, error.message)
    }
  }

  private func reply(to call: StoreCall) throws(StoreFailure) -> StoreReply {
    if ([name] + call.names).contains(where: { $0.utf8.contains(0) }) {
      throw StoreFailure(.malformed, "the request is not understood: a name has a NUL character")
    }
    switch call {
    case .initialize: try initialize()
    case .join(let call): return .join(try join(call))
    case .renew(let call): return .renew(try renew(call).fitting)
    case .leave: try leave()
    case .acquire(let call): return .acquire(try acquire(call))
    case .release(let call): try release(call)
    case .claim(let call): return .claim(try claim(call))
    case .take(let call): return .claim(try take(call))
    case .withdraw(let call): try withdraw(call)
    case .record(let call): return .conflicts(try record(call))
    case .publish(let call): return .conflicts(try publish(call))
    case .activate(let call): try activate(call)
    case .pause(let call): try pause(call)
    case .history(let call): return .history(try history(call).fitting)
    case .status(let call): return .status(try status(call).fitting)
    }
    return .done
  }
}

extension StoreCall {
  /// Unchecked names in the call that become parts of keys. A NUL character in a name would end a range.
  fileprivate var names: [String] {
    switch self {
    case .initialize, .leave, .status, .claim, .take, .withdraw, .publish: []
    case .join(let call): [call.node]
    case .renew(let call): Array((call.digests ?? [:]).keys)
    case .acquire(let call): call.jobs.map(\.job)
    case .release(let call): call.jobs.map(\.job)
    case .record(let call): call.progress.map(\.job) + (call.incidents ?? []).map(\.job)
    case .activate(let call): Array(call.digests.keys)
    case .pause(let call): [call.job]
    case .history(let call): [call.job ?? ""]
    }
  }
}

extension Array {
  /// The items in parts of at most `count` items.
  func parts(of count: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min(self.count, $0 + count)] }
  }
}
