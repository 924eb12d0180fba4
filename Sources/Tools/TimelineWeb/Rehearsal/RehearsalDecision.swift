import TimelineCore
import TimelineEngine
import TimelineRehearsal

/// A decision of a rehearsed engine, as one line.
struct RehearsalDecision: Hashable {
  var at: WallInstant
  var job: JobName
  /// `waits for its start`, `started`, or the outcome.
  var word: String
  /// Further words; may be empty.
  var detail: String
  /// Whether this is the first decision about its entry. A step leads to the next first decision.
  var isFirst = true

  /// Shortest wait that is shown; a start with a smaller delay counts as on time.
  private static let waitMin = ElapsedTime.seconds(1)

  /// The decisions about an entry, ascending.
  static func decisions(on entry: ViewEntry, of job: JobName) -> [RehearsalDecision] {
    guard let start = entry.start else {
      guard let outcome = entry.outcome else { return [] }
      let count = entry.count == 1 ? "" : "\(entry.count) entries"
      let detail = [count, entry.reason].filter { !$0.isEmpty }.joined(separator: ": ")
      return [RehearsalDecision(at: entry.entry, job: job, word: outcome.rawValue, detail: detail)]
    }
    let wait = start - entry.entry
    var result: [RehearsalDecision] = []
    if wait >= waitMin, entry.cause != .missed {
      result.append(RehearsalDecision(at: entry.entry, job: job, word: "waits for its start", detail: ""))
    }
    let late = wait >= waitMin ? "\(wait.approximateText) late" : ""
    let cause = entry.cause == .schedule ? "" : entry.cause == .missed ? "catch-up" : entry.cause.rawValue
    result.append(
      RehearsalDecision(
        at: start, job: job, word: "started",
        detail: [cause, late].filter { !$0.isEmpty }.joined(separator: ", "), isFirst: result.isEmpty))
    guard let outcome = entry.outcome, let end = entry.end else { return result }
    let detail = ["after \((end - start).approximateText)", entry.reason].filter { !$0.isEmpty }
    result.append(
      RehearsalDecision(
        at: end, job: job, word: outcome.rawValue, detail: detail.joined(separator: ": "), isFirst: false))
    return result
  }
}

/// The decisions of a window, ascending, around the rehearsal's clock.
struct RehearsalDecisions {
  let shown: [RehearsalDecision]
  /// Instant of the first later decision that is left out; `nil` if no later decision is.
  let knownUntil: WallInstant?

  /// Selects the decisions around `now` from all decisions in a window.
  init(_ all: [RehearsalDecision], around now: WallInstant) {
    let sorted = all.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
      \.element)
    let past = sorted.prefix { $0.at <= now }
    let later = sorted.dropFirst(past.count)
    shown = past.suffix(WebLimits.pastDecisionsMax) + later.prefix(WebLimits.laterDecisionsMax)
    knownUntil = later.dropFirst(WebLimits.laterDecisionsMax).first?.at
  }
}
