package import TimelineCore
package import TimelineEngine
package import TimelineSystem

/// Something the shell is to do; effects are performed in the order in which they are returned.
package enum HostPoolEffect: Sendable, Equatable {
  /// Start a host process for this kind and ask it to load the plugin.
  case spawn(HostID, HostSpec)
  /// Call the plugin in this host, whose instance is opened first if need be.
  case begin(HostID, PluginRun, InstanceUse)
  /// Close an instance of a host that rests, because nobody wants it any more.
  case closeInstance(HostID, InstanceNumber)
  /// Ask the plugin to stop the run.
  case askToStop(HostID, RunID, StopReason)
  /// Close the host's socket, upon which it closes its instance and ends.
  case letGo(HostID)
  /// Forget a host that stays as the parent of what its run, of this job, has left behind.
  case release(HostID, JobName)
  /// SIGKILL to the host's process group.
  case kill(HostID)
  /// Hand in ``HostPoolEvent/elapsed(_:)`` after this time.
  case wait(HostTimer, ElapsedTime)
  /// Forget a time that is waited for.
  case forget(HostTimer)
  /// The run waits for a host: its plugin has not been called.
  case waits(RunID)
  /// The run has its host, at once or after it `hasWaited` for one.
  case started(RunID, HostID, hasWaited: Bool)
  /// The run is over; there is exactly one end for every ``HostPoolEvent/start(_:)``.
  case ended(RunID, PluginRunEnd)
  /// The answer to an inquiry: who the plugin is, or a sentence that says file, reason and remedy.
  case answered(InquiryID, Result<PluginIdentity, HostFailure>)
  /// Something an operator may want to know and that no run's end says.
  case note(HostNote)
  /// After ``HostPoolEvent/shutDown``: the last host is gone.
  case finished
}

/// The number of an instance among those of its host; a number is used again once its instance is closed.
package typealias InstanceNumber = UInt32

/// Source of a run's instance, which the plugin's `open` makes for one job.
///
/// A host has one open at a time, or as many as the plugin says it can have and ``HostLimits/instancesPerHostMax`` allows.
package enum InstanceUse: Sendable, Hashable {
  /// The host has it open.
  case open(InstanceNumber)
  /// It is opened for this run, under a number that the host has free.
  case new(InstanceNumber)
  /// It is opened for this run after the instance of this number, of another job or of other parameters, has been closed.
  case replacing(InstanceNumber)

  /// The number under which the plugin is called.
  var number: InstanceNumber {
    switch self {
    case .open(let number), .new(let number), .replacing(let number): number
    }
  }
}

/// A failure that belongs to a plugin and not to a run of it.
package struct HostFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence that says the file, the reason and what to do.
  package var message: String
  /// Whether something was short that others give back, so that another try may do.
  package var isShortage: Bool

  /// Makes a failure.
  package init(_ message: String, isShortage: Bool = false) {
    self.message = message
    self.isShortage = isShortage
  }

  /// The sentence.
  package var description: String { message }
}

/// Notes about hosts for operators.
package enum HostNote: Sendable, Hashable {
  /// A host went down with nothing to do; its next run has a new one.
  case diedIdle(HostSpec, ProcessEnd)
  /// A host has done its number of runs and is replaced.
  case recycled(HostSpec, runs: Int)
  /// A plugin does not load; runs of it fail at once for this long.
  case kindPaused(HostSpec, ElapsedTime, reason: String)
  /// A job's runs kill their hosts; its runs fail at once for this long.
  case jobPaused(HostSpec, JobName, ElapsedTime, reason: String)
  /// A run has to wait because no more hosts may be started; said of the first of many.
  case waiting(RunID, JobName, HostWait)
  /// No host can be started for want of something of the system's; it is tried again after this long.
  case shortage(ElapsedTime, reason: String)
  /// A host did not end by itself and was killed.
  case killedAtEnd(HostSpec)
  /// A plugin in this process took longer for one call than the other jobs should wait; said once a job and reload.
  case slowInProcess(HostSpec, JobName, ElapsedTime)
  /// The file of a plugin that is loaded in this process was replaced; the old one stays until a restart.
  case replacedInProcess(HostSpec)
  /// Processes that a host had left behind when it died were ended; in words.
  case orphansEnded(String)
  /// A job's runs have left too much behind: what this run left was killed. As many hosts as this stay for what earlier runs left.
  case leftoversKilled(JobName, max: Int)
  /// A host is gone and its copies of the job's credentials could not be removed.
  case credentialsLeft(HostSpec, directory: String, reason: String)
}
