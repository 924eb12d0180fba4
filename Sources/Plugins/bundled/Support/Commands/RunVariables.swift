import PluginSupport
import TimelinePluginKit

/// The variables with the facts of a run for its commands, as C strings.
///
/// They are written one after the other into memory that is reused, because a run waits for them.
struct RunVariables {
  /// The variables whose values belong to the run itself. A variable without a value is not set.
  private enum Name: String, CaseIterable {
    case job = "TIMELINE_JOB"
    case runKey = "TIMELINE_RUN_KEY"
    case nominal = "TIMELINE_NOMINAL"
    case nominalNanoseconds = "TIMELINE_NOMINAL_NS"
    case actual = "TIMELINE_ACTUAL"
    case attempt = "TIMELINE_ATTEMPT"
    case entryCount = "TIMELINE_ENTRY_COUNT"
    case mode = "TIMELINE_MODE"
    case cadence = "TIMELINE_CADENCE"
    case rehearsal = "TIMELINE_REHEARSAL"
    case deadline = "TIMELINE_DEADLINE"
    case fencingToken = "TIMELINE_FENCING_TOKEN"
    case movedFrom = "TIMELINE_MOVED_FROM"
    case upstream = "TIMELINE_UPSTREAM"
  }

  /// The names of all variables that can be set.
  static let names = Set(Name.allCases.map(\.rawValue) + Upstream.names.map(upstreamVariable))

  private static func upstreamVariable(_ name: String) -> String { "TIMELINE_UPSTREAM_\(name.uppercased())" }

  /// Whether the variables include the run's trace context.
  private let hasTrace: Bool
  private var text: [UInt8] = []
  /// The offset in ``text`` at which each variable begins.
  private var starts: [Int] = []

  /// Makes an empty list. Without `hasTrace`, the trace context is left out, because the job or the host sets it.
  init(hasTrace: Bool) { self.hasTrace = hasTrace }

  /// Replaces the content with the variables of a run.
  mutating func fill(for context: RunContext) {
    text.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    add(.job, context.job)
    add(.runKey, context.runKey)
    addMoment(.nominal, context.nominal)
    addNumber(.nominalNanoseconds, context.nominal)
    addMoment(.actual, context.actual)
    addNumber(.attempt, Int64(context.attempt))
    addNumber(.entryCount, Int64(context.entryCount))
    add(.mode, context.isLowFrequency ? "low-frequency" : "normal")
    add(.cadence, "\(context.cadence)")
    add(.rehearsal, context.isRehearsal ? "1" : "0")
    if let deadline = context.deadline { addMoment(.deadline, deadline) }
    if let token = context.fencingToken { addNumber(.fencingToken, token) }
    if !context.movedFrom.isEmpty { addMoments(.movedFrom, context.movedFrom) }
    if hasTrace { add(TraceContext.variable, TraceContext.text(of: context)) }
    guard let upstream = context.upstream else { return }
    if let json = upstream.json() { add(.upstream, json) }
    for name in Upstream.names { add(Self.upstreamVariable(name), Upstream.text(name, in: context)) }
  }

  /// Calls `body` with the variables, each ended by a 0, and with their offsets. Both are valid until `body` returns.
  mutating func withText<Result>(_ body: (UnsafeMutablePointer<CChar>?, [Int]) throws -> Result) rethrows
    -> Result
  {
    let starts = starts
    return try text.withUnsafeMutableBytes { try body($0.bindMemory(to: CChar.self).baseAddress, starts) }
  }

  private mutating func add(_ name: Name, _ value: String) { add(name.rawValue, value) }

  private mutating func add(_ name: String, _ value: String) {
    begin(name)
    text.append(contentsOf: value.utf8)
    text.append(0)
  }

  private mutating func addMoment(_ name: Name, _ nanoseconds: Int64) {
    begin(name.rawValue)
    Moment.write(nanosecondsSinceEpoch: nanoseconds, to: &text)
    text.append(0)
  }

  /// Adds instants with a blank between them.
  private mutating func addMoments(_ name: Name, _ nanoseconds: [Int64]) {
    begin(name.rawValue)
    for (index, instant) in nanoseconds.enumerated() {
      if index > 0 { text.append(UInt8(ascii: " ")) }
      Moment.write(nanosecondsSinceEpoch: instant, to: &text)
    }
    text.append(0)
  }

  private mutating func addNumber(_ name: Name, _ number: Int64) {
    begin(name.rawValue)
    if number < 0 { text.append(UInt8(ascii: "-")) }
    let first = text.count
    var rest = number.magnitude
    repeat {
      text.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    text[first...].reverse()
    text.append(0)
  }

  private mutating func begin(_ name: String) {
    starts.append(text.count)
    text.append(contentsOf: name.utf8)
    text.append(UInt8(ascii: "="))
  }
}
