package import TimelineCore

/// The bounds that pools of hosts keep; each has its reason.
package struct HostLimits: Sendable, Hashable {
  /// Hosts in all, those that load or end included: each costs 4 MB and more and a few descriptors of the daemon.
  package var hostsMax = 128
  /// Hosts of one kind: a job that overlaps itself without end must leave room for the others.
  package var hostsPerKindMax = 32
  /// Hosts that are kept warm with nothing to do, in all; the one that has rested longest goes first.
  package var idleHostsMax = 32
  /// Hosts of one kind that are kept warm with nothing to do. A host has the instance of one job open, so up to
  /// this many jobs of a plugin keep theirs; jobs beyond it take turns, and each turn costs an `open`.
  package var idleHostsPerKindMax = 4
  /// Runs after which a host is replaced: a plugin that leaks 1 KiB a run stays below 10 MiB, and 2 ms for a new
  /// host every 10,000 runs is nothing.
  package var runsPerHostMax = 10_000
  /// Runs and inquiries that wait for a host; beyond them a run fails at once rather than late.
  package var waitingMax = 4096
  /// How long a host may take to load its plugin and say so: a cold disk and a large library need seconds.
  package var loadLimit = ElapsedTime.seconds(10)
  /// How long a host may take to end once its socket is closed, before it is killed.
  package var endLimit = ElapsedTime.seconds(2)
  /// The pause after the first failure to load; it doubles with each further one.
  package var pauseFrom = ElapsedTime.milliseconds(200)
  /// The longest pause: an operator who has repaired a plugin waits no longer than this.
  package var pauseTo = ElapsedTime.seconds(30)
  /// Deaths of a host in one job's runs, with no proper end between them, from which on that job pauses: below it
  /// each run is worth a host of its own.
  package var deathsBeforePause = 3

  /// The defaults.
  package init() {}

  /// The pause after `failures` in a row, at least 1.
  package func pause(afterFailures failures: Int) -> ElapsedTime {
    var pause = pauseFrom
    for _ in 1..<max(1, min(failures, 64)) where pause < pauseTo { pause = pause * 2 }
    return min(pause, pauseTo)
  }
}
