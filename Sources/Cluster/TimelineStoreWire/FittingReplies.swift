// Shortened replies that fit into a message.

extension RenewReply {
  /// The reply with as many jobs as fit.
  package var fitting: RenewReply {
    guard let jobs else { return self }
    var reply = self
    reply.jobs = []
    let part = MessageRoom.prefix(of: jobs.prefix(StoreWireLimits.jobsMax), beside: reply)
    (reply.jobs, reply.hasMoreJobs) = (Array(part), part.count < jobs.count)
    return reply
  }
}

extension StoreStatusReply {
  /// The reply with as many jobs as fit.
  package var fitting: StoreStatusReply {
    var reply = self
    reply.jobs = []
    let part = MessageRoom.prefix(of: jobs.prefix(StoreWireLimits.jobsMax), beside: reply)
    (reply.jobs, reply.hasMoreJobs) = (Array(part), part.count < jobs.count)
    return reply
  }
}

extension StoreHistoryReply {
  /// The reply with as many claims as fit into a quarter of a message. The rest of the message is filled with records.
  package var fitting: StoreHistoryReply {
    var reply = StoreHistoryReply(records: [], claims: [])
    reply.claims = Array(
      MessageRoom.prefix(of: claims[...], beside: reply, bytes: StoreWireLimits.messageMax / 4))
    reply.records = Array(MessageRoom.prefix(of: records[...], beside: reply))
    return reply
  }
}

/// The room of a message.
package enum MessageRoom {
  /// Bytes reserved for the number of the call and the name of the reply.
  private static let envelope = 64

  /// Returns the first items that fit into a message beside the rest of a reply. Returns at least one, so that the reader
  /// makes progress.
  package static func prefix<Item: Encodable>(
    of items: ArraySlice<Item>, beside rest: some Encodable, bytes: Int = StoreWireLimits.messageMax
  ) -> ArraySlice<Item> {
    var room = bytes - envelope - StoreJSON.encoded(rest).utf8.count
    var count = 0
    for item in items {
      room -= StoreJSON.encoded(item).utf8.count + 1
      if room < 0, count > 0 { break }
      count += 1
    }
    return items.prefix(count)
  }
}

extension StoredRecord {
  /// The record with a reason of at most ``StoreWireLimits/reasonMax`` bytes. A longer reason is cut and ends with an ellipsis.
  package var withShortReason: StoredRecord {
    guard reason.utf8.count > StoreWireLimits.reasonMax else { return self }
    let mark = "…"
    var record = self
    let room = StoreWireLimits.reasonMax - mark.utf8.count
    while record.reason.utf8.count > room { record.reason.removeLast() }
    record.reason += mark
    return record
  }
}
