package import TimelineStoreWire

/// Access to etcd, and its clock.
package protocol EtcdTransport {
  /// Posts JSON to a path of etcd's gateway. Returns the JSON of the answer.
  ///
  /// - Parameter isWrite: Whether the request may change something. Without an answer, the effect of a write is unknown.
  func post(_ path: String, _ body: [UInt8], isWrite: Bool) throws(StoreFailure) -> [UInt8]

  /// The store's clock, in nanoseconds since 1970.
  var now: Int64 { get }

  /// The latest instant that the store's clock can show.
  var latest: Int64 { get }
}
