import TimelineControl
import TimelineCore
import TimelineSystem

/// Texts about a backfill.
enum BackfillText {
  /// `report: backfill running, 12 of 40 entries done, 1 failed; run 7 is active`, without a line end.
  static func text(of backfill: BackfillReport) -> String {
    guard backfill.totalCount > 0 else { return "\(backfill.job): no entries to run again" }
    var text = "\(backfill.job): backfill \(state(of: backfill)), \(done(of: backfill)) entries done"
    if backfill.failedCount > 0 { text += ", \(backfill.failedCount) failed" }
    if let rest = rest(of: backfill) { text += ", \(rest) left" }
    if let runs = runs(of: backfill) { text += "; \(runs) active" }
    return text
  }

  /// `12 of 40`.
  static func done(of backfill: BackfillReport) -> String {
    "\(backfill.doneCount) of \(backfill.totalCount)"
  }

  /// `suspended: the job is paused`.
  static func state(of backfill: BackfillReport) -> String {
    backfill.state.printable + (backfill.reason.map { ": \($0.printable)" } ?? "")
  }

  /// `about 20m`, for the rest of a backfill; `nil` if it is not known.
  static func rest(of backfill: BackfillReport) -> String? {
    backfill.estimateNanoseconds.map { "about \(Words.length(Int64($0)))" }
  }

  private static func runs(of backfill: BackfillReport) -> String? {
    let numbers = backfill.activeRuns.map { "\($0)" }.joined(separator: ", ")
    switch backfill.activeRuns.count {
    case 0: return nil
    case 1: return "run \(numbers) is"
    default: return "runs \(numbers) are"
    }
  }

  /// A line for standard error about the entries that are left out; empty if there are none.
  static func leftOut(of backfill: BackfillReport) -> String {
    guard backfill.unrecordedCount > 0 else { return "" }
    let verb = backfill.unrecordedCount == 1 ? "entry is" : "entries are"
    return
      "timelinectl: note: \(backfill.job): \(backfill.unrecordedCount) \(verb) left out without a record: \(remedy(of: backfill))\n"
  }

  private static func remedy(of backfill: BackfillReport) -> String {
    "--unrecorded runs \(backfill.unrecordedCount == 1 ? "it" : "them") too"
  }

  /// A line for standard error that names the way to the entries that failed; empty if none did.
  static func adviceAfterEnd(of backfill: BackfillReport) -> String {
    guard backfill.failedCount > 0 else { return "" }
    let (job, from, until) = (backfill.job, backfill.from.instant, backfill.until.instant)
    return
      "timelinectl: note: \(job): `timelinectl gaps \(job) --from \(from) --until \(until)` shows the entries without a success\n"
  }

  /// The line for standard error after Ctrl-C.
  static func adviceAfterInterrupt(about job: String) -> String {
    "timelinectl: note: \(job): the backfill goes on: `timelinectl backfills \(job)` shows it, `timelinectl backfill \(job) --cancel` ends it\n"
  }

  /// The plan of a dry run, in lines with a name and a text each.
  static func plan(_ backfill: BackfillReport, in zone: Zone) -> String {
    let count = backfill.totalCount
    var rows = [
      ("entries", count == 1 ? "1 to run again" : "\(count) to run again"),
      (
        "between",
        "\(Words.text(backfill.from.instant, in: zone)) and \(Words.text(backfill.until.instant, in: zone))"
      ),
      ("outcomes", backfill.outcomes.joined(separator: ", ")),
    ]
    if backfill.unrecordedCount > 0 {
      rows.append(("left out", "\(backfill.unrecordedCount) without a record: \(remedy(of: backfill))"))
    }
    for (index, entry) in backfill.firstEntries.enumerated() {
      rows.append((index == 0 ? "first" : "", Words.text(entry.instant, in: zone)))
    }
    if count > backfill.firstEntries.count, !backfill.firstEntries.isEmpty {
      rows.append(("", "and \(count - backfill.firstEntries.count) more"))
    }
    guard count > 0 else { return Words.lines(rows) }
    rows.append(("order", order(of: backfill)))
    rows.append(
      ("takes", rest(of: backfill).map { "\($0), by the last runs" } ?? "not known: no run to judge by"))
    return Words.lines(rows)
  }

  private static func order(of backfill: BackfillReport) -> String {
    let pace = Int64(backfill.paceNanoseconds)
    return (backfill.isNewestFirst ? "newest first" : "oldest first")
      + (backfill.parallel == 1 ? ", one at a time" : ", \(backfill.parallel) at a time")
      + (pace == 0 ? "" : ", one start in \(ElapsedTime(nanoseconds: pace))")
  }
}
