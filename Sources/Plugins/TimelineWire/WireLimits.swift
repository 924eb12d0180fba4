import TimelineCore

/// Limits of the wire, each with its reason. All are in bytes unless stated otherwise.
package enum WireLimits {
  /// One message. A SEQPACKET message is received whole into one buffer. The limit is a third of the kernel's default
  /// socket buffer (208 KiB), so that one message never blocks its sender.
  package static let messageMax = 69_632
  package static let pathMax = JobLimits.pathMax
  /// The path of a control group. The path of an ordinary service has about 70 bytes, and a message must contain it beside
  /// the largest setup. If the path of the service is longer, its hosts have no group.
  package static let controlGroupMax = 120
  /// A user's name: Linux's LOGIN_NAME_MAX.
  package static let userMax = 256
  /// A run key: a job's name, an instant and a separator, with some reserve.
  package static let runKeyMax = 256
  /// Number of variables that a job adds to the environment.
  package static let variablesMax = JobLimits.variablesMax
  /// Names and values of these variables in total.
  package static let environmentMax = JobLimits.environmentMax
  /// Number of credentials of a job.
  package static let credentialsMax = JobLimits.credentialsMax
  /// Names and paths of the credentials in total.
  package static let credentialNamesMax = JobLimits.credentialNamesMax
  /// The last lines of output of an upstream's run, as the ledger stores them.
  package static let upstreamOutputMax = 4_096
  /// The upstream that a run reacts to: its fields, mainly the reason, and the output. JSON may write each byte of the
  /// output as six bytes.
  package static let upstreamMax = 16_384 + 6 * upstreamOutputMax
  /// Number of instants from which entries have moved to one: two on each of the 31 days on both sides, with room for times that a
  /// clock change brings together. A message contains them beside the largest cursor and the largest upstream.
  package static let movedFromMax = 256
  /// A job's parameters in JSON.
  package static let parametersMax = JobLimits.parametersMax
  /// A plugin's schema. A message must contain three short texts beside it (TIMELINED_SCHEMA_MAX).
  package static let schemaMax = 32_768
  /// A line of the log, a result or an error: one screenful (TIMELINED_MESSAGE_MAX).
  package static let textMax = 4_096
  /// A plugin's name, its version, or a key of a field: the width of a column in a table.
  package static let wordMax = 128
  /// A cursor: the position in the work, not the data of the work (TIMELINED_CURSOR_MAX).
  package static let cursorMax = 16_384
  /// Number of fields of one line of the log (TIMELINED_LOG_FIELDS_MAX).
  package static let fieldsMax = 32
  /// The value of one field. 32 values and a line must fit into one message.
  package static let fieldValueMax = 1_024
}

extension String {
  /// Returns the text itself if it has at most `lengthMax` bytes of UTF-8. Otherwise returns its beginning and a mark with
  /// the length of the whole text, together no longer than `lengthMax`.
  ///
  /// The cut is between characters, so that the result is valid text. A second cut to the same length changes nothing.
  package func cut(to lengthMax: Int) -> String {
    let length = utf8.count
    guard length > lengthMax else { return self }
    let mark = "... [\(length) bytes, cut]"
    var room = Swift.max(0, lengthMax - mark.utf8.count)
    while room > 0, String(utf8.prefix(room)) == nil { room -= 1 }
    return (String(utf8.prefix(room)) ?? "") + mark
  }
}
