import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// A verb that shows the daemon's clock, or changes the clock of a rehearsal and shows it.
protocol ClockVerb: DaemonVerb {
  var parent: ClockCommand { get }
  var shown: ZoneOptions { get }
  var output: OutputOptions { get }
}

extension ClockVerb {
  var root: Timelinectl { parent.root }

  /// Makes a call, and shows the clock that it returns.
  func show<Call: ControlCall>(_ call: Call) throws where Call.Reply == ClockReply {
    let zones = try shown.shown()
    let state = try self.call(call).state
    try Output.print(output.json ? jsonLine(state) : text(of: state, in: zones))
  }

  private func text(of state: ClockState, in zones: ShownZones) -> String {
    func shown(_ entry: NextEntry) -> String {
      let zone = zones.zone(named: state.zones?[entry.job] ?? state.zone)
      return "\(entry.job) at \(Words.text(entry.entry.instant, in: zone))"
    }
    let now = state.now.instant
    var rows = [
      ("clock", clock(of: state)),
      ("shows", Words.text(now, in: zones.zone(named: state.zone))),
    ]
    if let reached = state.reached { rows.append(("reached", shown(reached))) }
    rows.append(
      (
        "next",
        state.next.map { "\(shown($0)), \(Words.toCome($0.entry.instant, from: now))" } ?? "none"
      ))
    return Words.lines(rows)
  }

  private func clock(of state: ClockState) -> String {
    guard state.clock == "system" else { return state.clock + (state.isPaused ? ", paused" : "") }
    return "the system's"
      + (state.offsetNanoseconds.map { " \(Words.offset($0)) by --clock-offset-file" } ?? "")
  }
}
