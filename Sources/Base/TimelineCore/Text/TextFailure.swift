/// Place and reason of a fault in a text, and the correction.
struct TextFailure: Error {
  let offset: Int
  let reason: String
  /// The smallest change that corrects this fault and keeps the meaning of the text: another spelling of a keyword,
  /// or another way to write the same numbers. A text with another meaning is never proposed.
  var correction: (range: Range<Int>, text: String)?
  /// The feature that was probably intended, as a sentence without a full stop.
  var hint: String?

  /// The text with this fault and all further faults corrected; `nil` if that needs more than `slips` changes.
  func corrected<Value>(
    _ bytes: [UInt8], slips: Int, parse: ([UInt8]) throws(TextFailure) -> Value
  ) -> String? {
    var (bytes, failure) = (bytes, self)
    for _ in 0..<slips {
      guard let correction = failure.correction else { return nil }
      bytes.replaceSubrange(correction.range, with: correction.text.utf8)
      do {
        _ = try parse(bytes)
        // A tab is valid in a rule, but a suggestion shows it as a space.
        return String(
          decoding: bytes.map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
      } catch {
        failure = error
      }
    }
    return nil
  }
}
