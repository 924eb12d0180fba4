package import TimelineStoreWire

extension StoreCall {
  /// Purpose of the call's transaction.
  package var transactionKind: StoreTransaction.Kind {
    switch method {
    case .initialize: .tables
    case .history, .status: .reading
    default: .call
    }
  }
}
