import TimelineControl
import TimelineCore
import TimelineLedger

// Calls that request, change and show backfills.
extension ControlHandlers {
  mutating func addBackfills() {
    on(Control.Backfill.self) { try $0.backfill() }
    answer(Control.ChangeBackfill.self) { call in
      BackfillReply(
        backfill: try call.daemon.backfills.change(
          call.parameters.job, call.parameters.chosen, by: try call.caller))
    }
    answer(Control.Backfills.self) { call in
      BackfillsReply(backfills: try call.daemon.backfills.reports(of: call.parameters.job))
    }
  }
}

extension ReceivedCall<Control.Backfill> {
  /// Counts the entries, and then replies to a dry run, or begins the backfill.
  fileprivate func backfill() throws {
    let (by, daemon, parameters) = (try caller, daemon, parameters)
    let plan = try daemon.backfills.plan(parameters)
    try stay(.waiting)
    BackfillCount(plan, daemon.answers, on: daemon.loop) { count in
      let backfills = daemon.backfills
      if parameters.isDryRun ?? false {
        return reply(BackfillReply(backfill: backfills.report(of: plan, count)))
      }
      do throws(ControlError) {
        let isConfirmed = parameters.isConfirmed ?? false
        reply(BackfillReply(backfill: try backfills.request(plan, count, isConfirmed: isConfirmed, by: by)))
      } catch {
        fail(error)
      }
    }
  }
}
