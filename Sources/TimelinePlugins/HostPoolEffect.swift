package import TimelineCore
package import TimelineEngine

/// Something the shell is to do; effects are performed in the order in which they are returned.
package enum HostPoolEffect: Sendable, Equatable {
  /// Start a host process for this kind and ask it to load the plugin.
  case spawn(HostID, HostKind)
  /// Call the plugin in this host, with this instance, which is opened first if need be.
  case begin(HostID, RunRequest, InstanceUse)
  /// Close an instance that is not wanted any more; there is no answer.
  case closeInstance(HostID, InstanceID)
  /// Ask the plugin to stop the run.
  case askToStop(HostID, RunID, StopReason)
  /// Close the host's socket, upon which it closes its instances and ends.
  case letGo(HostID)
  /// SIGKILL to the host's process group.
  case kill(HostID)
  /// Hand in ``HostPoolEvent/elapsed(_:)`` after this time.
  case wait(HostTimer, ElapsedTime)
  /// Forget a time that is waited for.
  case forget(HostTimer)
  /// The run has its host.
  case started(RunID, HostID)
  /// The run is over; there is exactly one end for every ``HostPoolEvent/start(_:)``.
  case ended(RunID, RunEnd)
  /// The answer to an inquiry: who the plugin is, or a sentence that says file, reason and remedy.
  case answered(InquiryID, Result<PluginIdentity, HostFailure>)
  /// Something an operator may want to know and that no run's end says.
  case note(HostNote)
  /// After ``HostPoolEvent/shutDown``: the last host is gone.
  case finished
}

/// The instance that a run is to use.
package enum InstanceUse: Sendable, Hashable {
  /// It is open already.
  case open(InstanceID)
  /// It is opened for this run with the run's job and parameters.
  case new(InstanceID)

  /// The instance.
  package var id: InstanceID {
    switch self {
    case .open(let id), .new(let id): id
    }
  }
}

/// A failure that belongs to a plugin and not to a run of it.
package struct HostFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence that says the file, the reason and what to do.
  package var message: String

  /// Makes a failure.
  package init(_ message: String) {
    self.message = message
  }

  /// The sentence.
  package var description: String { message }
}

/// What an operator may want to know of hosts.
package enum HostNote: Sendable, Hashable {
  /// A host went down with nothing to do; its next run has a new one.
  case diedIdle(HostKind, HostExit)
  /// A host has done its number of runs and is replaced.
  case recycled(HostKind, runs: Int)
  /// A plugin does not load; runs of it fail at once for this long.
  case kindPaused(HostKind, ElapsedTime, reason: String)
  /// A job's runs kill their hosts; its runs fail at once for this long.
  case jobPaused(HostKind, JobName, ElapsedTime, reason: String)
  /// A run has to wait because no more hosts may be started.
  case waiting(RunID, JobName, hosts: Int)
  /// A host did not end by itself and was killed.
  case killedAtEnd(HostKind)
}
