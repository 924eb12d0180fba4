import PluginSupport

/// Identifier of a run for services that match its start with its end: a UUID of version 8 (RFC 9562). It is the trace id
/// of the entry, except for the six bits of version and variant. All reactions to the entry have the same identifier, on
/// every node of a cluster.
struct RunIdentifier {
  let text: String

  /// Makes the identifier of the run of an entry. `job` and `entry` are in the spelling of the daemon.
  init(job: String, entry: String) {
    var digits = Array(TraceContext.id(ofEntry: entry, job: job))
    digits[12] = "8"
    digits[16] = ["8", "9", "a", "b"][(digits[16].hexDigitValue ?? 0) & 3]
    for place in [20, 16, 12, 8] { digits.insert("-", at: place) }
    text = String(digits)
  }
}
