import TimelineCore
import TimelineEngine

/// Planted faults for which there are written lives.
extension EngineSimulation.Fault {
  /// A token does not reach the plugin.
  static var lostToken: Self {
    Self(doctor: { effects in
      effects = effects.map { effect in
        guard case .start(var attempt) = effect else { return effect }
        attempt.token = nil
        return .start(attempt)
      }
    })
  }

  /// A start is counted, and its note is lost with the daemon.
  static var forgottenStart: Self {
    Self(memory: { watermarks, open in
      for run in open where run.cause.isOfSchedule && run.attempts > 0 && !run.isAlive && run.retryAt == nil {
        guard watermarks[run.entry.job] == run.entry.nominal else { continue }
        watermarks[run.entry.job] = run.entry.nominal - .nanoseconds(1)
        open.removeAll { $0.run == run.run }
      }
    })
  }

  /// Triggers and reactions ahead of the clock are not among the entries that an engine gets from the ledger.
  static var hiddenReactions: Self {
    Self(decided: { decided, ledger in
      for (job, nominals) in decided {
        decided[job] = nominals.filter { !ledger.isOutsideSchedule(EntryKey(job: job, nominal: $0)) }
      }
    })
  }

  /// An entry that another node may have run counts as not started.
  static var takenForUnstarted: Self {
    Self(taken: { taken in
      for place in taken.indices {
        for open in taken[place].open.indices { taken[place].open[open].attempts = 0 }
      }
    })
  }
}
