/// Checks of a call before a store performs it.
package enum CallLimits {
  /// Length of an epoch in hexadecimal digits.
  private static let epochDigits = 32

  /// Checks a request. Throws a failure of kind `malformed` if the request exceeds a limit.
  package static func check(_ request: StoreRequest) throws(StoreFailure) {
    if let epoch = request.caller.epoch {
      try check(epoch: epoch)
    } else if request.call.needsEpoch {
      throw StoreFailure(.malformed, "the request is not understood: it has no epoch")
    }
    try check(request.call)
  }

  private static func check(_ call: StoreCall) throws(StoreFailure) {
    switch call {
    case .initialize, .leave, .pause, .status: return
    case .join(let call):
      if let former = call.formerEpoch { try check(epoch: former) }
      try check(lease: call.leaseMilliseconds)
      try check(StoreJSON.encoded(call.labels).utf8.count, "bytes of labels", most: StoreWireLimits.labelsMax)
    case .renew(let call):
      try check(lease: call.leaseMilliseconds)
      try check(call.digests?.count ?? 0, "digests", most: StoreWireLimits.jobsMax)
    case .acquire(let call):
      for case let former? in call.jobs.map(\.formerOwner) { try check(epoch: former) }
      try check(call.jobs.count, "jobs", most: StoreWireLimits.jobsMax)
    case .release(let call): try check(call.jobs.count, "jobs", most: StoreWireLimits.jobsMax)
    case .claim(let call): try check(call)
    case .take(let call):
      for claim in call.claims { try check(epoch: claim.formerEpoch) }
      try check(call)
    case .withdraw(let call): try check(call)
    case .publish(let call): try check(call)
    case .record(let call): try check(call)
    case .activate(let call): try check(call.digests.count, "digests", most: StoreWireLimits.jobsMax)
    case .history(let call): try check(call.limit, "records", most: StoreWireLimits.recordsMax)
    }
  }

  private static func check(_ call: ClaimCall<some ClaimParameter>) throws(StoreFailure) {
    try check(call.claims.count, "claims", most: StoreWireLimits.entriesMax)
  }

  private static func check(_ call: RecordCall) throws(StoreFailure) {
    for record in call.records { try check(epoch: record.epoch) }
    try check(call.records.count, "records", most: StoreWireLimits.entriesMax)
    try check(call.progress.count, "jobs", most: StoreWireLimits.entriesMax)
    try check(call.incidents?.count ?? 0, "jobs with incidents", most: StoreWireLimits.entriesMax)
    for case let cursor? in call.progress.map(\.cursor) {
      // Four characters of Base64 stand for three bytes.
      try check(
        cursor.bytes.utf8.count, "characters of a cursor", most: (StoreWireLimits.cursorMax + 2) / 3 * 4)
    }
  }

  private static func check(epoch: String) throws(StoreFailure) {
    guard epoch.utf8.count == epochDigits, epoch.utf8.allSatisfy(isDigit) else {
      throw StoreFailure(
        .malformed, "the request is not understood: an epoch has 32 digits, 0 to 9 and a to f")
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  private static func check(lease milliseconds: Int64) throws(StoreFailure) {
    // At most one day. A longer lease is a mistake in the unit.
    guard (1...86_400_000).contains(milliseconds) else {
      throw StoreFailure(
        .malformed, "the request is not understood: a lease has 1 ms to 1 day, not \(milliseconds) ms")
    }
  }

  private static func check(_ count: Int, _ items: String, most: Int) throws(StoreFailure) {
    guard (0...most).contains(count) else {
      throw StoreFailure(
        .malformed, "the request is not understood: \(count) \(items), at most \(most) are allowed")
    }
  }
}
