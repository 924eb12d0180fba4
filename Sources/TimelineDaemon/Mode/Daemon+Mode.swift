import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLedger

// Calls about the daemon's mode.
extension Daemon {
  /// Applies a change of the mode: passes it to the ledger, the log, clients, the engine and active runs.
  func take(_ change: ModeChange) {
    writer.note(change)
    announce(change)
    subscribers.tell(.modeChanged(change))
    events.post(.cadence(change.cadence))
    events.post(.mode(change.mode))
    hosts.tell(CurrentMode(change.mode, change.cadence))
  }

  /// Logs the mode and its cause.
  func announce(_ change: ModeChange) {
    announcer.announce(.notice, "mode \(change)", kind: .modeChanged)
  }

  /// State of the mode for clients.
  var modeReply: ModeReply {
    let change = modes.current
    return ModeReply(
      state: ModeState(
        mode: change.mode, cadence: change.cadence, choice: change.choice, cause: change.cause,
        reason: change.reason, since: change.at, by: change.by?.report, zone: settings.zone.name))
  }

  /// Applies an operator's choice of the mode and, with low-frequency mode, of the cadence; must not be called from within an
  /// effect.
  func choose(_ choice: ModeChoice, _ cadence: LowFrequencyCadence?, by: Operator) -> ModeReply {
    let words = choice.rawValue + (cadence.map { ", cadence \($0.rawValue)" } ?? "")
    announce(.mode, by: by, details: "; \(words)")
    file(.mode, by: by, reason: words)
    modes.choose(choice, cadence, by: by)
    return modeReply
  }
}
