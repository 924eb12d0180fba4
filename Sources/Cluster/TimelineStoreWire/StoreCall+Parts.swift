internal import FoundationEssentials

extension StoreCall {
  /// Returns the same call for the first half of its jobs if the reply is too long for a message. Returns `nil` if the reply
  /// fits, or if the call cannot be divided.
  package func smaller(afterReply reply: StoreReply) -> StoreCall? {
    guard case .acquire(var call) = self, call.jobs.count > 1 else { return nil }
    let response = StoreResponse(id: .max, result: .success(reply))
    guard response.message.count > StoreWireLimits.messageMax else { return nil }
    call.jobs.removeLast(call.jobs.count / 2)
    return .acquire(call)
  }
}

extension RecordCall {
  /// Returns the longest call that fits into a message. A call with one record is returned without a check, because it always
  /// fits with the cursor and the incidents of its job.
  ///
  /// - Parameters:
  ///   - caller: Caller of the call.
  ///   - make: Returns a call with at most `limit` records.
  package static func fitting(_ caller: StoreCaller, _ make: (_ limit: Int) -> RecordCall?) -> RecordCall? {
    var limit = StoreWireLimits.entriesMax
    while let call = make(limit) {
      let request = StoreRequest(id: .max, caller, .record(call))
      if limit == 1 || request.message.count <= StoreWireLimits.messageMax { return call }
      limit /= 2
    }
    return nil
  }
}

extension StoreRequest {
  /// Number of a request, even if the rest of the message is invalid; 0 without a number.
  package static func id(ofMessage message: [UInt8]) -> UInt64 {
    struct Number: Decodable { var id: UInt64 }
    return (try? JSONDecoder().decode(Number.self, from: Data(message)).id) ?? 0
  }
}
