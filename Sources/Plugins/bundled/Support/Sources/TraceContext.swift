import TimelinePluginKit

/// Context of a run for distributed tracing, in the form of W3C Trace Context 00.
///
/// The trace belongs to the entry: its id is derived from the run key, so all attempts on all nodes of a cluster have the
/// same id. A reaction is part of the trace of the entry that it reacts to. The span belongs to one attempt.
public enum TraceContext {
  /// Name of the environment variable for the context.
  public static let variable = "TRACEPARENT"

  /// Returns `00-<trace id>-<span id>-01`; the last part requests the recording of the trace.
  public static func text(of context: RunContext) -> String {
    let upstream = (Upstream.text("job", in: context), Upstream.text("entry", in: context))
    let span = "\(context.runKey)#\(context.attempt)#\(context.actual)"
    let trace = upstream.0.isEmpty ? id(of: context.runKey) : id(ofEntry: upstream.1, job: upstream.0)
    return "00-\(trace)-\(hex(span, salt: 3))-01"
  }

  /// Returns the trace id of an entry of a job: 32 hexadecimal digits. `entry` and `job` are spelled as in the facts about
  /// the upstream.
  public static func id(ofEntry entry: String, job: String) -> String { id(of: "\(job)/\(entry)") }

  private static func id(of runKey: String) -> String { hex(runKey, salt: 1) + hex(runKey, salt: 2) }

  /// Returns sixteen hexadecimal digits that are derived from `text` and are not all 0: FNV-1a, spread by the last step of
  /// SplitMix64.
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
