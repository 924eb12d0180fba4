/// Place and reason of a fault in a text, and what to write instead.
struct TextFailure: Error {
  let offset: Int
  let reason: String
  /// The smallest change that puts this one fault right and keeps the meaning of the text: another spelling of a keyword, or
  /// another way to write the same numbers. A text that would mean something else is never proposed.
  var correction: (range: Range<Int>, text: String)?
  /// The feature that does what was wanted, as a sentence without a full stop.
  var hint: String?

  /// The text with this and what is then still wrong put right, if no more than `slips` changes do it.
  func corrected<Value>(
    _ bytes: [UInt8], slips: Int, parse: ([UInt8]) throws(TextFailure) -> Value
  ) -> String? {
    var (bytes, failure) = (bytes, self)
    for _ in 0..<slips {
      guard let correction = failure.correction else { return nil }
      bytes.replaceSubrange(correction.range, with: correction.text.utf8)
      do {
        _ = try parse(bytes)
        // A tab is no harm to a rule, but nothing to show to people.
        return String(
          decoding: bytes.map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
      } catch {
        failure = error
      }
    }
    return nil
  }
}
