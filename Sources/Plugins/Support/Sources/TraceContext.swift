import TimelinePluginKit

/// Context of a run for distributed tracing, as W3C Trace Context 00 has it.
///
/// The trace is that of the entry: it follows from the run key, so that all attempts have it, on every node of a cluster. A reaction is
/// part of the trace of the entry that it reacts to. The span is that of one attempt.
public enum TraceContext {
  /// Name of the variable that has it.
  public static let variable = "TRACEPARENT"

  /// Returns `00-<trace id>-<span id>-01`; the last part asks for the trace to be recorded.
  public static func text(of context: RunContext) -> String {
    let upstream = (Upstream.text("job", in: context), Upstream.text("entry", in: context))
    let span = "\(context.runKey)#\(context.attempt)#\(context.actual)"
    let trace = upstream.0.isEmpty ? id(of: context.runKey) : id(ofEntry: upstream.1, job: upstream.0)
    return "00-\(trace)-\(hex(span, salt: 3))-01"
  }

  /// Returns the trace id of an entry of a job, as a reaction is told of them: 32 hexadecimal digits.
  public static func id(ofEntry entry: String, job: String) -> String { id(of: "\(job)/\(entry)") }

  private static func id(of runKey: String) -> String { hex(runKey, salt: 1) + hex(runKey, salt: 2) }

  /// Sixteen hexadecimal digits that follow from a text, at least one of them not 0: FNV-1a, and the last step of SplitMix64 to spread it.
  private static func hex(_ text: String, salt: UInt64) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ salt
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    hash = max(1, hash ^ (hash >> 31))
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
