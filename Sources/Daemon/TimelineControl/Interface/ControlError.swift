/// Errors that the daemon returns for a request that it cannot carry out.
package enum ControlError: Error, Sendable, Equatable {
  /// There is no job with this name.
  case noSuchJob(job: String, nearest: String?)
  /// The job is disabled in the configuration.
  case jobDisabled(job: String)
  /// The job's schedule has no entry at a moment, or several; `reason` names the nearest entries.
  case noSuchEntry(job: String, moment: String, reason: String)
  /// The entry cannot be repeated, or the job has no entries that could be; `reason` states why.
  case notRepeatable(job: String, reason: String)
  /// The job cannot have this backfill, or has no open one to change; `reason` states why.
  case backfillRefused(job: String, reason: String)
  /// The backfill needs the operator's confirmation; `reason` states why.
  case backfillQuestion(job: String, reason: String)
  /// The run is not active. `running` names the active runs, in words.
  case noSuchRun(run: String, running: String)
  /// The text is not a moment; `reason` states why.
  case badMoment(text: String, reason: String)
  /// This machine has no zone with this name.
  case noSuchZone(zone: String)
  /// The limit of clients is reached: of clients that are connected, wait or watch.
  case tooManyClients(limit: Int)
  /// The configuration has errors, given in several lines of text; nothing was changed.
  case reloadFailed(diagnostics: String)
  /// The answer is longer than ``ControlLimits/replyBytesMax``.
  case replyTooLong(method: String)
  /// The answer could not be written as a message.
  case replyFailed(method: String, reason: String)
  /// The daemon runs on the system's clock, which clients cannot control.
  case notRehearsing
  /// The text is not a speed; `reason` states why.
  case badSpeed(text: String, reason: String)
  /// There is no deadline to which the clock can be stepped.
  case nothingToCome
  /// The daemon is not a node of a cluster.
  case noCluster
  /// Another node of the cluster owns the job. No node owns the job if `node` is empty.
  case jobElsewhere(job: String, node: String)
  /// The cluster's store could not be reached.
  case storeFailed(reason: String)
  /// The ledger could not be copied.
  case backupFailed(reason: String)
  /// The daemon has refused its configuration and does not start.
  case configurationRefused
  /// The daemon is shutting down and refuses the request.
  case shuttingDown
  /// The daemon is stopping and leaves the awaited entry to the next daemon.
  case entryKept(job: String)
  /// The job already has an entry at this instant, so nothing was started.
  case entryTaken(job: String)
  /// A deadlock: the awaited run waits for the end of the run that the caller belongs to. `reason` states how.
  case waitWithoutEnd(job: String, reason: String)
  /// The caller has read-only access.
  case permissionDenied

  /// The error in the form in which it is sent.
  package var varlink: VarlinkError {
    switch self {
    case .noSuchJob(let job, let nearest):
      Self.error("NoSuchJob", ["job": job].merging(nearest.map { ["nearest": $0] } ?? [:]) { $1 })
    case .jobDisabled(let job): Self.error("JobDisabled", ["job": job])
    case .noSuchEntry(let job, let moment, let reason):
      Self.error("NoSuchEntry", ["job": job, "moment": moment, "reason": reason])
    case .notRepeatable(let job, let reason): Self.error("NotRepeatable", ["job": job, "reason": reason])
    case .backfillRefused(let job, let reason): Self.error("BackfillRefused", ["job": job, "reason": reason])
    case .backfillQuestion(let job, let reason):
      Self.error("BackfillQuestion", ["job": job, "reason": reason])
    case .noSuchRun(let run, let running): Self.error("NoSuchRun", ["run": run, "running": running])
    case .badMoment(let text, let reason): Self.error("BadMoment", ["text": text, "reason": reason])
    case .noSuchZone(let zone): Self.error("NoSuchZone", ["zone": zone])
    case .tooManyClients(let limit): Self.error("TooManyClients", ["limit": "\(limit)"])
    case .reloadFailed(let diagnostics): Self.error("ReloadFailed", ["diagnostics": diagnostics])
    case .replyTooLong(let method): Self.error("ReplyTooLong", ["method": method])
    case .replyFailed(let method, let reason):
      Self.error("ReplyFailed", ["method": method, "reason": reason])
    case .notRehearsing: Self.error("NotRehearsing")
    case .badSpeed(let text, let reason): Self.error("BadSpeed", ["text": text, "reason": reason])
    case .nothingToCome: Self.error("NothingToCome")
    case .noCluster: Self.error("NoCluster")
    case .jobElsewhere(let job, let node): Self.error("JobElsewhere", ["job": job, "node": node])
    case .storeFailed(let reason): Self.error("StoreFailed", ["reason": reason])
    case .backupFailed(let reason): Self.error("BackupFailed", ["reason": reason])
    case .configurationRefused: Self.error("ConfigurationRefused")
    case .shuttingDown: Self.error("ShuttingDown")
    case .entryKept(let job): Self.error("EntryKept", ["job": job])
    case .entryTaken(let job): Self.error("EntryTaken", ["job": job])
    case .waitWithoutEnd(let job, let reason): Self.error("WaitWithoutEnd", ["job": job, "reason": reason])
    case .permissionDenied: .permissionDenied
    }
  }

  private static func error(_ name: String, _ parameters: [String: String] = [:]) -> VarlinkError {
    VarlinkError(name: ControlInterface.fullName(name), parameters: parameters)
  }

  /// Recognizes a received error; returns `nil` for any other error.
  package init?(_ error: VarlinkError) {
    let parameters = error.parameters
    switch error.name {
    case ControlInterface.fullName("NoSuchJob"):
      self = .noSuchJob(job: parameters["job"] ?? "", nearest: parameters["nearest"])
    case ControlInterface.fullName("JobDisabled"): self = .jobDisabled(job: parameters["job"] ?? "")
    case ControlInterface.fullName("NoSuchEntry"):
      self = .noSuchEntry(
        job: parameters["job"] ?? "", moment: parameters["moment"] ?? "", reason: parameters["reason"] ?? "")
    case ControlInterface.fullName("NotRepeatable"):
      self = .notRepeatable(job: parameters["job"] ?? "", reason: parameters["reason"] ?? "")
    case ControlInterface.fullName("BackfillRefused"):
      self = .backfillRefused(job: parameters["job"] ?? "", reason: parameters["reason"] ?? "")
    case ControlInterface.fullName("BackfillQuestion"):
      self = .backfillQuestion(job: parameters["job"] ?? "", reason: parameters["reason"] ?? "")
    case ControlInterface.fullName("NoSuchRun"):
      self = .noSuchRun(run: parameters["run"] ?? "", running: parameters["running"] ?? "")
    case ControlInterface.fullName("BadMoment"):
      self = .badMoment(text: parameters["text"] ?? "", reason: parameters["reason"] ?? "")
    case ControlInterface.fullName("NoSuchZone"): self = .noSuchZone(zone: parameters["zone"] ?? "")
    case ControlInterface.fullName("TooManyClients"):
      self = .tooManyClients(limit: parameters["limit"].flatMap { Int($0) } ?? 0)
    case ControlInterface.fullName("ReloadFailed"):
      self = .reloadFailed(diagnostics: parameters["diagnostics"] ?? "")
    case ControlInterface.fullName("ReplyTooLong"): self = .replyTooLong(method: parameters["method"] ?? "")
    case ControlInterface.fullName("ReplyFailed"):
      self = .replyFailed(method: parameters["method"] ?? "", reason: parameters["reason"] ?? "")
    case ControlInterface.fullName("NotRehearsing"): self = .notRehearsing
    case ControlInterface.fullName("BadSpeed"):
      self = .badSpeed(text: parameters["text"] ?? "", reason: parameters["reason"] ?? "")
    case ControlInterface.fullName("NothingToCome"): self = .nothingToCome
    case ControlInterface.fullName("NoCluster"): self = .noCluster
    case ControlInterface.fullName("JobElsewhere"):
      self = .jobElsewhere(job: parameters["job"] ?? "", node: parameters["node"] ?? "")
    case ControlInterface.fullName("StoreFailed"): self = .storeFailed(reason: parameters["reason"] ?? "")
    case ControlInterface.fullName("BackupFailed"): self = .backupFailed(reason: parameters["reason"] ?? "")
    case ControlInterface.fullName("ConfigurationRefused"): self = .configurationRefused
    case ControlInterface.fullName("ShuttingDown"): self = .shuttingDown
    case ControlInterface.fullName("EntryKept"): self = .entryKept(job: parameters["job"] ?? "")
    case ControlInterface.fullName("EntryTaken"): self = .entryTaken(job: parameters["job"] ?? "")
    case ControlInterface.fullName("WaitWithoutEnd"):
      self = .waitWithoutEnd(job: parameters["job"] ?? "", reason: parameters["reason"] ?? "")
    case VarlinkError.permissionDenied.name: self = .permissionDenied
    default: return nil
    }
  }
}

extension ControlError: CustomStringConvertible {
  /// Message with the cause and the remedy; the caller prefixes it with the program's name and "error".
  package var description: String {
    switch self {
    case .noSuchJob(let job, let nearest):
      "no job '\(job)': "
        + (nearest.map { "did you mean '\($0)'?" } ?? "`timelinectl list` shows all jobs")
    case .jobDisabled(let job):
      "job '\(job)': disabled by `enabled = false` in the configuration: enable it there, then `timelinectl reload`"
    case .noSuchEntry(let job, let moment, let reason):
      "job '\(job)': no entry of its schedule at \"\(moment)\": \(reason)"
    case .notRepeatable(let job, let reason), .backfillRefused(let job, let reason): "job '\(job)': \(reason)"
    case .backfillQuestion(let job, let reason): "job '\(job)': \(reason): confirm with --yes"
    case .noSuchRun(let run, let running):
      "no run \(run) is active "
        + (running.isEmpty
          ? "(no runs are active): `timelinectl history` shows past runs" : "(active runs: \(running))")
    case .badMoment(_, let reason): "\(reason)"
    case .noSuchZone(let zone):
      "zone \(zone): not known to the daemon: `timedatectl list-timezones` has them all"
    case .tooManyClients(let limit):
      "too many clients: the daemon serves \(limit) of this kind at a time: try again when one has ended"
    case .reloadFailed(let diagnostics):
      "configuration not reloaded, the old one stays in force:\n\(diagnostics)"
    case .replyTooLong(let method):
      "the answer to \(method) is too long for one reply: ask for one job, as `timelinectl why JOB` and `timelinectl history JOB` can, or for several replies (\"more\": true)"
    case .replyFailed(let method, let reason):
      "the answer to \(method) cannot be made: \(reason)"
    case .notRehearsing:
      "timelined runs on the system's clock, which it does not change: start a rehearsal with `timelined --clock scaled:60`"
    case .badSpeed(let text, let reason): "speed \(text): \(reason)"
    case .nothingToCome:
      "no job has an entry to come, and no run a timeout: `timelinectl list` shows why, `timelinectl clock leap TIME` goes to a moment"
    case .noCluster: "timelined is a node of no cluster: [cluster] in its configuration makes it one"
    case .jobElsewhere(let job, ""):
      "job '\(job)': no node of the cluster owns it at present: `timelinectl cluster status` shows why"
    case .jobElsewhere(let job, let node):
      "job '\(job)': node \(node) of the cluster runs it at present: use timelinectl there"
    case .storeFailed(let reason): "the cluster's store cannot be asked: \(reason)"
    case .backupFailed(let reason): "the ledger was not copied: \(reason)"
    case .configurationRefused:
      "timelined has refused its configuration and has not started: correct what `timelinectl check` shows, then `systemctl start timelined`"
    case .shuttingDown: "timelined is stopping: try again when it is back"
    case .entryKept(let job):
      "\(job): timelined is stopping: the entry is kept and goes on at the next start; `timelinectl history \(job)` shows it then"
    case .entryTaken(let job):
      "\(job): nothing was started: the job has an entry of this very instant, the clock was set back; trigger it again"
    case .waitWithoutEnd(let job, let reason):
      "job '\(job)': the wait would never end: \(reason): trigger it without --wait"
    case .permissionDenied:
      "permission denied: read-only access; run this as root, as the user timelined runs as, or as one of `control.users`"
    }
  }
}
