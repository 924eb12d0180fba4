/// What went wrong in a rule, and the smallest change that would put this one thing right.
struct CronFailure: Error {
  let offset: Int
  let reason: String
  var correction: (range: Range<Int>, text: String)?

  /// The rule with this and what is then still wrong put right, where few changes will do.
  func corrected(_ bytes: [UInt8]) -> [UInt8]? {
    var (bytes, failure) = (bytes, self)
    // One slip for each field; more is another language.
    for _ in CronField.allCases {
      guard let correction = failure.correction else { return nil }
      bytes.replaceSubrange(correction.range, with: correction.text.utf8)
      do {
        _ = try CronParser.parse(bytes)
        // A tab is no harm to a rule, but nothing to show to people.
        return bytes.map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }
      } catch {
        failure = error
      }
    }
    return nil
  }
}
