package import TimelineCore

/// Limits of the host pools, each with its reason.
package struct HostLimits: Sendable, Equatable {
  /// Hosts in all, including those that load or end: each costs at least 4 MB and a few descriptors of the daemon.
  package var hostsMax = 128
  /// Hosts of one kind. A job whose runs overlap without limit must leave room for other jobs.
  package var hostsPerKindMax = 32
  /// Hosts of one kind that are started as soon as a run waits for one. More follow if these hosts are held up.
  package var promptHostsPerKindMax = 4
  /// Time for which a pool is watched before it grows beyond ``promptHostsPerKindMax``: twice the start-up time of a host, so
  /// that the growth is worth while.
  package var growthPause = ElapsedTime.milliseconds(10)
  /// Idle hosts that are kept warm, in all. The host that has been idle longest ends first.
  package var idleHostsMax = 32
  /// Idle hosts of one kind that are kept warm. If a plugin allows one open instance, up to this many jobs keep their
  /// instances open. Further jobs take turns, and each turn costs an `open`.
  package var idleHostsPerKindMax = 4
  /// The time for which an idle host that runs as a job's user is kept warm. The user cannot be removed meanwhile. The time
  /// is more than a minute, so that jobs that run every minute keep their hosts.
  package var idleTimeOfUserMax = ElapsedTime.seconds(90)
  /// Instances that a host keeps open for jobs between their runs, if the plugin allows it. With a few hundred jobs, each
  /// instance is opened once and not every minute, and the memory of all instances stays below a few MiB.
  package var instancesPerHostMax = 256
  /// Hosts of one job that stay as the parents of leftovers of its runs. Each is a process and uses a descriptor of the
  /// daemon. With this limit a job with leftovers in every run is reported before the daemon runs out of descriptors.
  package var leftoverHostsPerJobMax = 100
  /// Runs after which a host is replaced. A plugin that leaks 1 KiB per run stays below 10 MiB, and 2 ms for a new host
  /// every 10,000 runs is negligible.
  package var runsPerHostMax = 10_000
  /// Longest time for a host to load its plugin and report that the plugin is loaded: a cold disk and a large library need
  /// seconds.
  package var loadLimit = ElapsedTime.seconds(10)
  /// Longest time for a host to end after its socket was closed. Then the host is killed.
  package var endLimit = ElapsedTime.seconds(2)
  /// The pause after the first failure to load; it doubles with each further failure.
  package var pauseFrom = ElapsedTime.milliseconds(200)
  /// The longest pause. An operator who has repaired a plugin waits at most this long, or reloads.
  package var pauseTo = ElapsedTime.seconds(30)
  /// Number of consecutive deaths of a job's hosts after which the job pauses. Below this number each run gets a new host.
  package var deathsBeforePause = 3

  package init() {}

  /// The pause after `failures` consecutive failures, at least 1.
  package func pause(afterFailures failures: Int) -> ElapsedTime {
    var pause = pauseFrom
    for _ in 1..<max(1, min(failures, 64)) where pause < pauseTo { pause = pause * 2 }
    return min(pause, pauseTo)
  }
}

/// Limits of the output of plugins, each with its reason.
package struct OutputLimits: Sendable, Equatable {
  /// Lines that a host may write at once: enough for a stack trace, a table or the output of a build.
  package var burstLines = 2_000
  /// Lines per second after the burst; journald's own default is 333 per second for a whole service.
  package var linesPerSecond = 200
  /// Bytes that a host may write at once.
  package var burstBytes = 1_048_576
  /// Bytes per second after the burst.
  package var bytesPerSecond = 65_536
  /// Lines that every run may write, regardless of the output of the run before.
  package var linesPerRunMin = 100

  package init() {}
}

/// Limits of one iteration of the loop, so that no host delays the others.
enum TurnLimits {
  /// Messages received from one host in an iteration: at 2 us each well below 0.1 ms.
  static let messagesMax = 32
  /// Messages received in an iteration from a host that has written too much; most of them are dropped. With ``drainPause``
  /// this makes 25,000 per second, so that the 2,000 lines that a host may send per second do not hold up their run.
  static let drainMessagesMax = 128
  /// Reports whose memory is kept for the next iteration. After an iteration with more reports the memory is released.
  static let reportsKept = 1_000
  /// Runs that are sent to hosts ahead of their time: more than a pool starts hosts for at once, and few enough to be sent
  /// quickly.
  static let runsAheadMax = 16
  /// Shortest time before a run's start at which the run is still sent ahead to a host: the transfer time of the message.
  static let timeAheadMin = ElapsedTime.microseconds(50)
  /// Bytes of output read from one host in an iteration: the capacity of a pipe.
  static let outputBytesMax = 65_536
  /// Bytes at the end of each read that are split into lines when a host has written too much. Splitting more would block
  /// the loop.
  static let floodBytesMax = 16_384
  /// The pause before held lines are checked again: too short for a reader of a log to notice.
  static let releasePause = ElapsedTime.milliseconds(100)
  /// Pause before the next read from a host that has written too much: its pipe is drained 200 times per second, which is
  /// 13 MB per second and takes little of the daemon's time.
  static let drainPause = ElapsedTime.milliseconds(5)
  /// Longest call of a plugin in this process that is not reported: a tenth of the time that makes other jobs noticeably
  /// late.
  static let inProcessCallMax = ElapsedTime.milliseconds(1)
  /// Calls in this process that may be made before the first of them is reported, so that in a long series of starts no
  /// call waits for the effects of another. About 300 bytes are kept for each call.
  static let callsUntoldMax = 100_000
  /// Messages that are received from a host that has ended: the capacity of its socket.
  static let lastMessagesMax = 1_024
}
