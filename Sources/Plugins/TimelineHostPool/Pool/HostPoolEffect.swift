package import TimelineCore
package import TimelineEngine
package import TimelineSystem

/// Action for the shell. Effects are performed in the order in which they are returned.
package enum HostPoolEffect: Sendable, Equatable {
  /// Start a host process for this kind and ask it to load the plugin.
  case spawn(HostID, HostSpec)
  /// Call the plugin in this host. The instance is opened first if necessary.
  case begin(HostID, PluginRun, InstanceUse)
  /// Close an unused instance of an idle host.
  case closeInstance(HostID, InstanceNumber)
  /// Ask the plugin to stop the run.
  case askToStop(HostID, RunID, StopReason)
  /// Close the host's socket. The host then closes its instances and ends.
  case letGo(HostID)
  /// Remove a host that stays as the parent of leftovers of a run of this job.
  case release(HostID, JobName)
  /// Send SIGKILL to the host's process group.
  case kill(HostID)
  /// Handle ``HostPoolEvent/elapsed(_:)`` after this time.
  case wait(HostTimer, ElapsedTime)
  /// Cancel the timer.
  case forget(HostTimer)
  /// The run waits for a host: its plugin has not been called.
  case waits(RunID)
  /// The run has its host, at once or after it `hasWaited` for one.
  case started(RunID, HostID, hasWaited: Bool)
  /// The run is over; there is exactly one end for every ``HostPoolEvent/start(_:)``.
  case ended(RunID, PluginRunEnd)
  /// The answer to an inquiry: the identity of the plugin, or a message with file, reason and remedy.
  case answered(InquiryID, Result<PluginIdentity, HostFailure>)
  /// A note for operators that belongs to no run's end.
  case note(HostNote)
  /// After ``HostPoolEvent/shutDown``: the last host has ended.
  case finished
}

/// The number of an instance among those of its host; a number is used again once its instance is closed.
package typealias InstanceNumber = UInt32

/// Source of the instance for a run. The plugin's `open` makes an instance for one job.
///
/// A host has one instance open at a time, or as many as the plugin allows, at most ``HostLimits/instancesPerHostMax``.
package enum InstanceUse: Sendable, Equatable {
  /// The host has the instance open.
  case open(InstanceNumber)
  /// The instance is opened for this run, under a free number of the host.
  case new(InstanceNumber)
  /// The instance of this number, which belongs to another job or has other parameters, is closed; then an instance is
  /// opened for this run.
  case replacing(InstanceNumber)

  /// The number of the instance on which the plugin is called.
  var number: InstanceNumber {
    switch self {
    case .open(let number), .new(let number), .replacing(let number): number
    }
  }
}

/// A failure of a plugin that does not belong to one of its runs.
package struct HostFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// A message with the file, the reason and the remedy.
  package var message: String
  /// Whether a system resource was short, so that a later attempt may succeed.
  package var isShortage: Bool

  package init(_ message: String, isShortage: Bool = false) {
    self.message = message
    self.isShortage = isShortage
  }

  package var description: String { message }
}

/// Notes about hosts for operators.
package enum HostNote: Sendable, Equatable {
  /// An idle host ended; the next run gets a new host.
  case diedIdle(HostSpec, ProcessEnd)
  /// A host has done its largest number of runs and is replaced.
  case recycled(HostSpec, runs: Int)
  /// A plugin does not load. For this time its runs fail at once.
  case kindPaused(HostSpec, ElapsedTime, reason: String)
  /// The runs of a job kill their hosts. For this time its runs fail at once.
  case jobPaused(HostSpec, JobName, ElapsedTime, reason: String)
  /// A run has to wait because no more hosts may be started; reported for the first of many.
  case waiting(RunID, JobName, HostWait)
  /// No host can be started because a system resource is short; the next attempt is made after this time.
  case shortage(ElapsedTime, reason: String)
  /// A host did not end by itself and was killed.
  case killedAtEnd(HostSpec)
  /// A call of a plugin in this process took longer than other jobs should wait; reported once per job until a reload.
  case slowInProcess(HostSpec, JobName, ElapsedTime)
  /// The file of a plugin that is loaded in this process was replaced; the old version stays loaded until a restart.
  case replacedInProcess(HostSpec)
  /// Processes that a host had left behind when it died were ended; with a text that lists them.
  case orphansEnded(String)
  /// A job's runs have left too many processes behind: the leftovers of the latest run were killed. `max` hosts stay as the
  /// parents of leftovers of earlier runs.
  case leftoversKilled(JobName, max: Int)
  /// A host has ended and its copies of the job's credentials could not be removed.
  case credentialsLeft(HostSpec, directory: String, reason: String)
}
