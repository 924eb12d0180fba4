package import TimelineCore
package import TimelineEngine
package import TimelineSystem

/// Something that happened to a host or was asked of the pools.
package enum HostPoolEvent: Sendable, Equatable {
  /// The engine wants a plugin called.
  case start(PluginRun)
  /// The engine wants a run to stop by itself.
  case askToStop(RunID, StopReason)
  /// The engine wants a run gone.
  case kill(RunID, StopReason)
  /// The engine does not want the run any more if it waits for a host; one that has a host goes on.
  case dequeue(RunID)
  /// These runs, and no others, wait for other runs: their hosts take no place meanwhile.
  case lend(Set<RunID>)
  /// Somebody wants to know who a plugin is.
  case inquire(InquiryID, HostSpec)
  /// A reload, with the jobs of each kind: pauses are lifted, and what other jobs have open is closed when it rests.
  case retain(ActiveJobs)
  /// The files that the host was started by have changed: it answers no more questions about its plugin, and goes when it rests if
  /// a new host is refused.
  case changed(HostID)
  /// The plugin's file is not the one that this host has loaded: the host goes when it rests.
  case outdated(HostID)
  /// No more runs; everything ends.
  case shutDown

  /// A host could not be started, for a reason of the system's.
  case spawnFailed(HostID, String)
  /// A host could not be started for want of something that others give back, such as processes or descriptors.
  case spawnPutOff(HostID, String)
  /// A host has loaded its plugin.
  case loaded(HostID, PluginIdentity)
  /// A host refused its plugin and is about to end; the sentence names the file, the reason and a remedy.
  case refused(HostID, String)
  /// An instance could not be opened for the run, which has ended so; the host lives.
  case openFailed(HostID, RunID, PluginRunEnd)
  /// A run ended properly.
  case ended(HostID, RunID, PluginRunEnd)
  /// A host will stay as the parent of what its run has left behind: after the end of that run it takes no other.
  case leaving(HostID)
  /// A host begins no further run, also none whose message crossed with this: the plugin has left its process in a state that cannot be
  /// restored.
  case retiring(HostID)
  /// The message that was to begin the run found its host dead: the plugin was not called.
  case undelivered(HostID, RunID)
  /// A host broke the rules of the wire, and how.
  case misbehaved(HostID, String)
  /// A host's socket reached its end: nothing more will be heard of it, and its exit status is awaited.
  case closed(HostID)
  /// A host is gone, and all of its process group.
  case exited(HostID, ProcessEnd)
  /// A time that was waited for has passed.
  case elapsed(HostTimer)
}

/// Something that the pools wait for.
package enum HostTimer: Sendable, Hashable {
  /// A host's answer that it has loaded its plugin.
  case load(HostID)
  /// A host's exit after it was let go.
  case end(HostID)
  /// The end of the time for which a host that runs as a job's user may have nothing to do.
  case idle(HostID)
  /// The end of the pause of a plugin that does not load.
  case kindPause(HostSpec)
  /// The end of the time in which no host is started for want of something of the system's.
  case shortage
  /// The end of the time in which a pool has shown whether its hosts are held up.
  case growth(HostSpec)
  /// The end of the pause of a job whose runs kill their hosts.
  case jobPause(HostSpec, JobName)
}
