import TimelineCore

/// Limits of the wire, each with its reason. All are in bytes unless stated otherwise.
package enum WireLimits {
  /// One message: a SEQPACKET message is received whole into one buffer, and a third of the kernel's default
  /// socket buffer (208 KiB) keeps a sender from blocking on a single message.
  package static let messageMax = 69_632
  /// A path.
  package static let pathMax = JobLimits.pathMax
  /// The path of a control group: that of an ordinary service has about 70, and a message must hold it beside the largest setup. A host of a
  /// service with a longer path has no group.
  package static let controlGroupMax = 120
  /// A user's name: Linux's LOGIN_NAME_MAX.
  package static let userMax = 256
  /// A run key: a job's name, an instant and what stands between them, with room to spare.
  package static let runKeyMax = 256
  /// Variables that a job adds to the environment; a count.
  package static let variablesMax = JobLimits.variablesMax
  /// Their names and values in all.
  package static let environmentMax = JobLimits.environmentMax
  /// Credentials of a job; a count.
  package static let credentialsMax = JobLimits.credentialsMax
  /// The names and paths of credentials in all.
  package static let credentialNamesMax = JobLimits.credentialNamesMax
  /// The last lines that the run of an upstream wrote, as the ledger keeps them.
  package static let upstreamOutputMax = 4_096
  /// The upstream that a run reacts to: some fields, of which the reason is the long one, and the output, each byte of which JSON may write
  /// as six.
  package static let upstreamMax = 16_384 + 6 * upstreamOutputMax
  /// A job's parameters in JSON.
  package static let parametersMax = JobLimits.parametersMax
  /// A plugin's schema: beside it a message must hold three short texts (TIMELINED_SCHEMA_MAX).
  package static let schemaMax = 32_768
  /// A line of the log, a result or an error: one screenful (TIMELINED_MESSAGE_MAX).
  package static let textMax = 4_096
  /// A plugin's name, version or a key of a field: what fits in a column of a table.
  package static let wordMax = 128
  /// A cursor: a place in the work, not the work (TIMELINED_CURSOR_MAX).
  package static let cursorMax = 16_384
  /// Fields of one line of the log; a count (TIMELINED_LOG_FIELDS_MAX).
  package static let fieldsMax = 32
  /// The value of one field: 32 of them and a line must fit in one message.
  package static let fieldValueMax = 1_024
}

extension String {
  /// The text itself if it has at most `lengthMax` bytes of UTF-8; otherwise its beginning and a mark that says
  /// how much is missing, together no longer than `lengthMax`.
  ///
  /// Cuts between characters, so that the result is text again; cutting twice changes nothing.
  package func cut(to lengthMax: Int) -> String {
    let length = utf8.count
    guard length > lengthMax else { return self }
    let mark = "... [\(length) bytes, cut]"
    var room = Swift.max(0, lengthMax - mark.utf8.count)
    while room > 0, String(utf8.prefix(room)) == nil { room -= 1 }
    return (String(utf8.prefix(room)) ?? "") + mark
  }
}
