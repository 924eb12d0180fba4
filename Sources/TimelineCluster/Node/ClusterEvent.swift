package import TimelineCore
package import TimelineEngine
package import TimelineStoreWire

/// Something that happened to a node of a cluster.
package enum ClusterEvent: Sendable, Hashable {
  /// The armed instant has come, or the shell woke for another reason.
  case wake
  /// The store adapter has answered the call with this number; `nil` if it ended, or its process, without an answer.
  case answered(UInt64, Result<StoreReply, StoreFailure>)
  /// These are the jobs of the configuration that one node of the cluster is to run.
  case configured([ClusterJob])
  /// The engine asks for entries of jobs that the node owns.
  case claim([EntryKey])
  /// The engine gives claims up, because their entries left the timeline.
  case withdraw([EntryKey])
  /// A run of the entry was started.
  case started(EntryKey)
  /// A job that the node owns was paused at an instant, or goes on if that is `nil`; the next owner is to know.
  case paused(JobName, since: WallInstant?)
  /// An operator wants jobs to run as this node defines them; without names all that run by another definition.
  case activate([JobName])
  /// Whether the ledger has records that the store does not have.
  case hasRecords(Bool)
  /// The daemon is about to end and nothing runs: what is left is given up, then ``ClusterEffect/left``.
  case leave
}

/// Memory of a node about the last life of its daemon.
package struct FormerLife: Sendable, Hashable {
  /// Epoch of that life, which has ended for certain; `nil` if nothing proves that.
  ///
  /// It is never read from a disk: the daemon from whose state directory a copy was made may still be running.
  package var epoch: String?
  /// Identity of the store; `nil` if it is not known.
  package var store: String?

  /// Makes a memory.
  package init(epoch: String? = nil, store: String? = nil) { (self.epoch, self.store) = (epoch, store) }
}

/// Something the shell is to do for a node of a cluster; effects are performed in the order in which they are returned.
package enum ClusterEffect: Sendable, Hashable {
  /// Wake at this instant; `nil` disarms.
  case arm(BootInstant?)
  /// Send a call to the store adapter and answer with ``ClusterEvent/answered(_:_:)``. There is never more than one.
  case send(UInt64, StoreCall)
  /// Send the oldest records that the store does not have, as a ``StoreCall/record(_:)`` with this number, and answer likewise. When it
  /// has succeeded, forget that they are to be sent, and tell ``ClusterEvent/hasRecords(_:)``.
  case sendRecords(UInt64)
  /// Replace the process of the store adapter: the call that it has is late. It is not answered any more.
  case replaceAdapter
  /// Have the engine run these jobs.
  case takeOver([OwnedJob])
  /// Have the engine start nothing of these jobs any more, from now on. If they are given up, so are the claims to entries that were not
  /// started.
  case handOver(Set<JobName>, isGivenUp: Bool)
  /// Give answers to the engine.
  case answer([ClaimAnswer])
  /// Keep the epoch and the identity of the store, so that the next life of this daemon can name them.
  case keep(FormerLife)
  /// Tell people.
  case tell(ClusterNotice)
  /// The node has left the cluster, or cannot.
  case left
}
