package import TimelineCore

/// The bounds that pools of hosts keep; each has its reason.
package struct HostLimits: Sendable, Hashable {
  /// Hosts in all, those that load or end included: each costs 4 MB and more and a few descriptors of the daemon.
  package var hostsMax = 128
  /// Hosts of one kind: a job that overlaps itself without end must leave room for the others.
  package var hostsPerKindMax = 32
  /// Hosts of one kind that are started the moment somebody waits for one; more follow when these are held up.
  package var promptHostsPerKindMax = 4
  /// Time for which a pool is watched before it grows beyond that: twice what a host takes to start, so that it pays.
  package var growthPause = ElapsedTime.milliseconds(10)
  /// Hosts that are kept warm with nothing to do, in all; the one that has rested longest goes first.
  package var idleHostsMax = 32
  /// Hosts of one kind that are kept warm with nothing to do. Of a plugin that can have
  /// one instance open, up to this many jobs keep theirs; jobs beyond it take turns, and each turn costs an `open`.
  package var idleHostsPerKindMax = 4
  /// The time for which a host that runs as a job's user is kept warm when idle: that user cannot be removed meanwhile. It is more
  /// than a minute, so that jobs of every minute keep theirs.
  package var idleTimeOfUserMax = ElapsedTime.seconds(90)
  /// Instances that a host keeps open for jobs between their runs, if the plugin allows it: a table of a few hundred jobs is
  /// opened once and not every minute, and what they keep stays below a few MiB.
  package var instancesPerHostMax = 256
  /// Hosts of one job that stay as the parents of what its runs have left behind: each is a process and a descriptor of the daemon, and
  /// a job that leaves something behind every time is noticed before the daemon has no descriptors for the others.
  package var leftoverHostsPerJobMax = 100
  /// Runs after which a host is replaced: a plugin that leaks 1 KiB a run stays below 10 MiB, and 2 ms for a new
  /// host every 10,000 runs is nothing.
  package var runsPerHostMax = 10_000
  /// Longest time for a host to load its plugin and to report that: a cold disk and a large library need seconds.
  package var loadLimit = ElapsedTime.seconds(10)
  /// Longest time for a host to end once its socket is closed, before it is killed.
  package var endLimit = ElapsedTime.seconds(2)
  /// The pause after the first failure to load; it doubles with each further one.
  package var pauseFrom = ElapsedTime.milliseconds(200)
  /// The longest pause: an operator who has repaired a plugin waits no longer than this, or reloads.
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

/// The bounds on what plugins write; each has its reason.
package struct OutputLimits: Sendable, Hashable {
  /// Lines that a host may write at once: a stack trace, a table, the output of a build.
  package var burstLines = 2_000
  /// Lines a second after that; journald's own default is 333 a second for a whole service.
  package var linesPerSecond = 200
  /// Bytes that a host may write at once.
  package var burstBytes = 1_048_576
  /// Bytes a second after that.
  package var bytesPerSecond = 65_536
  /// Lines that every run may write, whatever the run before it did.
  package var linesPerRunMin = 100

  /// The defaults.
  package init() {}
}

/// The bounds on one turn of the loop, so that no host keeps the others waiting.
enum TurnLimits {
  /// Messages taken from one host in a turn: at 2 us each well below a tenth of a millisecond.
  static let messagesMax = 32
  /// Messages taken in a turn from one that has written too much, of which most are dropped: with the pause after it
  /// 25,000 a second, so that the 2,000 lines which a host lets pass in a second do not hold up their run.
  static let drainMessagesMax = 128
  /// Reports whose memory is kept for the next: what one wake of very many runs needed is not kept for those of a few.
  static let reportsKept = 1_000
  /// Runs that are handed to hosts ahead of their time: more than a pool starts hosts for at once, few enough to be quick.
  static let runsAheadMax = 16
  /// Shortest time before its start for which a run is handed to a host ahead: the time that the message takes.
  static let timeAheadMin = ElapsedTime.microseconds(50)
  /// Bytes of output taken from one host in a turn: what a pipe holds.
  static let outputBytesMax = 65_536
  /// Bytes of these that are cut into lines when a host has written too much: its last lines are among them, and to cut more
  /// would take the loop's time.
  static let floodBytesMax = 16_384
  /// The pause before excess lines are looked at again: too short for a reader of a log to notice.
  static let releasePause = ElapsedTime.milliseconds(100)
  /// Pause in reading from a host that has written too much: its pipe is drained 200 times a second, which lets 13 MB a
  /// second through and takes little of the daemon's time.
  static let drainPause = ElapsedTime.milliseconds(5)
  /// Longest call of a plugin in this process that is not reported: a tenth of the time that makes other jobs
  /// noticeably late.
  static let inProcessCallMax = ElapsedTime.milliseconds(1)
  /// Calls in this process that may be made before the first of them is reported, so that of very many starts in a row
  /// none waits for the effects of another: some 300 bytes are kept for each.
  static let callsUntoldMax = 100_000
  /// Messages that are taken from a host that has ended: what its socket can hold, and no more.
  static let lastMessagesMax = 1_024
}
