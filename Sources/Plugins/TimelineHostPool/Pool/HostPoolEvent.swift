package import TimelineCore
package import TimelineEngine
package import TimelineSystem

/// An event of a host, or a request to the pools.
package enum HostPoolEvent: Sendable, Equatable {
  /// The engine starts a run: a call of a plugin.
  case start(PluginRun)
  /// The engine asks a run to stop.
  case askToStop(RunID, StopReason)
  /// The engine kills a run.
  case kill(RunID, StopReason)
  /// The engine cancels the run if it waits for a host; a run that has a host goes on.
  case dequeue(RunID)
  /// Sets the runs that wait for other runs: their hosts take no place until the next event of this kind.
  case lend(Set<RunID>)
  /// A caller asks for the identity of a plugin.
  case inquire(InquiryID, HostSpec)
  /// A reload, with the jobs of each kind: pauses are lifted. Instances of removed jobs are closed when their host becomes
  /// idle.
  case retain(ActiveJobs)
  /// The files that the host was started from have changed. The host answers no more inquiries about its plugin. If a new
  /// host is refused, this host ends when it is idle.
  case changed(HostID)
  /// The plugin's file is not the one that this host has loaded: the host ends when it is idle.
  case outdated(HostID)
  /// A shutdown: no run starts any more, and all hosts end.
  case shutDown

  /// A host could not be started because of a system error.
  case spawnFailed(HostID, String)
  /// A host could not be started because a resource was short that becomes free again, such as processes or descriptors.
  case spawnPutOff(HostID, String)
  case loaded(HostID, PluginIdentity)
  /// A host refused its plugin and is about to end; the text names the file, the reason and a remedy.
  case refused(HostID, String)
  /// An instance could not be opened for the run, which has ended for that reason; the host goes on.
  case openFailed(HostID, RunID, PluginRunEnd)
  /// A run ended, and its host has reported the end.
  case ended(HostID, RunID, PluginRunEnd)
  /// A host will stay as the parent of its run's leftovers: after the end of that run it accepts no other run.
  case leaving(HostID)
  /// A host begins no further run, because the plugin has changed the state of its process and the state cannot be
  /// restored. A run whose message crossed with this report is not begun either.
  case retiring(HostID)
  /// The host was dead when the message that begins the run was sent: the plugin was not called.
  case undelivered(HostID, RunID)
  /// A host violated the protocol of the wire; with a description of the violation.
  case misbehaved(HostID, String)
  /// A host's socket reached its end: no further message follows, and its exit status is awaited.
  case closed(HostID)
  /// A host and its process group have ended.
  case exited(HostID, ProcessEnd)
  case elapsed(HostTimer)
}

/// Timer of the pools.
package enum HostTimer: Sendable, Hashable {
  /// The time limit for a host to report that its plugin is loaded.
  case load(HostID)
  /// The time limit for a host's exit after its socket was closed.
  case end(HostID)
  /// The end of the idle time of a host that runs as a job's user.
  case idle(HostID)
  /// The end of the pause of a plugin that does not load.
  case kindPause(HostSpec)
  /// The end of the pause in which no host is started because a system resource is short.
  case shortage
  /// The time at which a pool checks whether its hosts are held up and it must grow.
  case growth(HostSpec)
  /// The end of the pause of a job whose runs kill their hosts.
  case jobPause(HostSpec, JobName)
}
