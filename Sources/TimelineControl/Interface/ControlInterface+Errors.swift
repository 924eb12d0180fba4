// The errors of the interface.
extension ControlInterface {
  static let errors = """
    # There is no job of that name; nearest is one that is spelled much like it.
    error NoSuchJob (job: string, nearest: ?string)

    # There is such a job, and the configuration has it disabled.
    error JobDisabled (job: string)

    # No such run is active; running names those that are, in words.
    error NoSuchRun (run: string, running: string)

    # The text is no moment; reason says where it went wrong and what is expected.
    error BadMoment (text: string, reason: string)

    # The machine has no zone of that name.
    error NoSuchZone (zone: string)

    # As many clients are connected, wait or watch as there may be; limit is their number.
    error TooManyClients (limit: string)

    # The configuration has errors and the one in force still is; diagnostics is text for people, of several lines.
    error ReloadFailed (diagnostics: string)

    # The answer is too long for one reply; ask for less, or with "more".
    error ReplyTooLong (method: string)

    # The answer could not be made, for the reason that is given.
    error ReplyFailed (method: string, reason: string)

    # The daemon runs on the system's clock, which it does not change.
    error NotRehearsing ()

    # The text is no speed; reason says what is expected.
    error BadSpeed (text: string, reason: string)

    # No job has an entry to come, and no run a deadline.
    error NothingToCome ()

    # The daemon is a node of no cluster.
    error NoCluster ()

    # Another node of the cluster owns the job, or none if node is empty.
    error JobElsewhere (job: string, node: string)

    # The cluster's store could not be asked, for the reason that is given.
    error StoreFailed (reason: string)

    # The ledger could not be copied, for the reason that is given.
    error BackupFailed (reason: string)

    # The daemon has refused its configuration and does not start; sent without a call, before the connection is closed.
    error ConfigurationRefused ()

    # The daemon is on its way down.
    error ShuttingDown ()

    # The daemon is stopping and does not come to the entry that was waited for: the next one goes on with it.
    error EntryKept (job: string)

    # The job has had an entry at this very instant before, as after a clock was set back; nothing was started.
    error EntryTaken (job: string)

    # The caller belongs to a run for whose end the run that it would wait for waits; reason names them.
    error WaitWithoutEnd (job: string, reason: string)
    """
}
