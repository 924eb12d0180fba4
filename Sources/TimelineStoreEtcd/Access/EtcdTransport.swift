package import TimelineStoreWire

/// A way to etcd, and its clock.
package protocol EtcdTransport {
  /// Posts JSON to a path of etcd's gateway, and returns the JSON that it answers.
  ///
  /// - Parameter isWrite: Whether the request may change something, so that the effect of one that is not answered is unknown.
  func post(_ path: String, _ body: [UInt8], isWrite: Bool) throws(StoreFailure) -> [UInt8]

  /// The store's clock, in nanoseconds since 1970.
  var now: Int64 { get }

  /// The latest instant that the store's clock can show.
  var latest: Int64 { get }
}
