internal import TimelineStoreEtcd
internal import TimelineStoreWire

/// Performs calls in etcd. The session keeps a connection, but no state on which a call depends.
final class EtcdSession: CallSession {
  private let connection: EtcdConnection
  /// The cluster of the last call, if it was a renewal.
  private var clusterOfRenewal: String?

  init(_ connection: EtcdConnection) { self.connection = connection }

  func perform(_ request: StoreRequest) throws(StoreFailure) -> StoreReply {
    clusterOfRenewal = nil
    switch request.call {
    case .join(let call): connection.fit(leaseMilliseconds: call.leaseMilliseconds)
    case .renew(let call): connection.fit(leaseMilliseconds: call.leaseMilliseconds)
    default: break
    }
    let reply = try EtcdCluster(request.caller, connection).perform(request.call)
    if request.call.method == .renew { clusterOfRenewal = request.caller.cluster }
    return reply
  }

  func tidyAfterRenewal() {
    guard let cluster = clusterOfRenewal.take() else { return }
    _ = try? EtcdCluster(StoreCaller(cluster: cluster), connection).tidy()
  }
}
