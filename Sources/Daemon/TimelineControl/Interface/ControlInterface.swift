import TimelineCore

/// The Varlink interface of timelined: its name, and its description, which is the contract with other clients.
///
/// Each call in ``Control`` repeats a part of the description. Tests compare the two.
package enum ControlInterface {
  package static let name = "io.timelined.Control"

  /// Returns the name of a method or an error with its interface, as used in messages.
  static func fullName(_ name: String) -> String { "\(Self.name).\(name)" }

  /// Names of the methods in the description.
  package static let methods = Set(
    description.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
      line.starts(with: "method ".utf8)
        ? String(Substring(line.dropFirst("method ".utf8.count).prefix { $0 != UInt8(ascii: "(") })) : nil
    })

  /// The description in Varlink's interface definition language.
  package static let description = """
    # Shows the state of a running timelined, triggers jobs, reloads the configuration and stops the daemon.
    #
    # Instants are RFC 3339 text in UTC with as many fraction digits as they need, such as
    # "2026-11-21T01:30:00.25Z". Lengths of time are whole nanoseconds. The nominal time of an entry is the
    # instant that its schedule gives it. A field whose type begins with "?" may be absent. Fields may be added; a
    # client must ignore unknown fields.
    #
    # These methods only read:
    # Status, List, Metrics, Why, Gaps, Backfills, Next, Explain, History, Watch, Logs, Clock, Mode, Cluster,
    # ClusterHistory.
    # The other methods are for root, the daemon's own user and the users that the configuration names. They
    # answer other users with org.varlink.service.PermissionDenied.
    #
    # A moment is a time as people write it: "now", "02:30" (the last one), "yesterday 02:30", "2026-11-21 02:30",
    # "2026-11-21", "2h ago", "in 2h", or RFC 3339. Without an offset it is a time in the zone of the job, or of
    # the daemon if the request names no job. A text that is not a moment is answered with BadMoment.
    interface io.timelined.Control

    \(types)

    \(metricsTypes)

    \(statusMethod)

    # All jobs and their states. Called with "more", it replies several times, with some of the jobs in each
    # reply; more than 1000 jobs need such a call.
    method List() -> (
      # The jobs, in the order of the configuration.
      jobs: []Job
    )

    \(metricsMethod)

    # The configuration in effect, with its defaults. Called with "more", it replies several times, with some of
    # the tables in each reply; a long configuration needs such a call.
    method Configuration() -> (
      # Path of the main file.
      path: string,
      # The tables.
      tables: []ConfigurationTable
    )

    # Reads the configuration again, and replies when it is in force. Unchanged jobs keep running and keep their
    # phase. A configuration with any error changes nothing and is answered with ReloadFailed.
    method Reload() -> (
      # Names of the new jobs.
      added: []string,
      # Names of the jobs that were changed.
      changed: []string,
      # Names of the jobs that were removed.
      removed: []string,
      # Number of unchanged jobs.
      unchangedCount: int,
      # A sentence for each setting that is in force only after a restart, and for each job
      # that needs something that the machine lacks.
      warnings: []string
    )

    # Runs a job now, independently of its schedule. It replies when the run is started, waits for its turn, or
    # could not be started. Called with "more", it goes on with the start, the progress and the end of the run.
    method Trigger(
      # Name of the job.
      job: string
    ) -> (
      # Number of the run; 0 while it waits for its turn, and if it was not started, as end shows.
      run: int,
      # Progress in millionths, from 0 to 1000000; absent in other replies, and if the plugin has not reported it.
      progressMillionths: ?int,
      # Current work of the plugin in words; absent in other replies.
      progressText: ?string,
      # The end of the entry, in the last reply to a call with "more", and
      # if it has ended at once. Absent otherwise.
      end: ?Entry
    )

    \(rerunMethods)

    \(backfillMethods)

    \(timelineMethods)

    \(changeMethods)

    \(clockMethods)

    \(clusterMethods)

    # Copies the ledger to a file beside it, in place of a former copy, while the ledger is in use. It replies
    # when the copy is on the disk.
    method Backup() -> (
      # Path of the copy.
      path: string
    )

    # Asks a run to stop; a run that does not stop is killed after its job's grace period. It replies when the run
    # has been asked. Called with "more", it replies again at the end of the run.
    method Cancel(
      # Number of the run.
      run: int
    ) -> (
      # Number of the run.
      run: int,
      # Name of its job.
      job: string,
      # The end of the run's entry, in the last reply to a call with "more"; absent otherwise.
      end: ?Entry
    )

    # Stops the daemon: it starts no further run, waits for active runs, and ends. Waiting entries are kept for
    # the next start. It replies when that has begun; another call changes nothing, except with now.
    method Stop(
      # Whether active runs are asked to stop at once, also if the daemon is already stopping; absent for false.
      now: ?bool
    ) -> (
      # Number of active runs that the daemon waits for.
      runningCount: int
    )

    \(errors)

    """
}
