/// The error for a text that is not a length of time, an instant or a rule: the place, the expectation and the
/// nearest valid text.
public struct TextError: Error, Sendable, Hashable {
  /// The kind of text that was expected, for example `a length of time`.
  public let subject: String
  /// The text as given, cut after ``textLengthMax`` bytes.
  public let text: String
  /// The place of the error in the whole text, in bytes from 0; the length of the text when something is missing at
  /// the end.
  public let offset: Int
  /// The expectation or the error at that place, as a clause: `a unit (...) is expected`.
  public let reason: String
  /// A valid text with the same meaning, if there is one.
  public let suggestion: String?
  /// The feature that was probably intended, as a sentence without a full stop.
  public let hint: String?

  /// The length to which a refused text is cut: enough to recognize it, and short enough for a log.
  public static let textLengthMax = 80

  init(
    _ subject: String, _ bytes: [UInt8], at offset: Int, _ reason: String, suggestion: String?,
    hint: String? = nil
  ) {
    self.subject = subject
    self.text = String(decoding: bytes.prefix(Self.textLengthMax), as: UTF8.self)
    self.offset = offset
    self.reason = reason
    self.suggestion = suggestion
    self.hint = hint
  }
}

extension TextError: CustomStringConvertible {
  /// The whole error in one sentence without a full stop; columns count bytes from 1.
  public var description: String {
    // The quoted form escapes control characters, which must not reach a terminal.
    let place = offset >= text.utf8.count && !text.isEmpty ? "after its end" : "at column \(offset + 1)"
    let help = help.map { "; \($0)" }.joined()
    return "\(text.debugDescription) is not \(subject): \(place) \(reason)\(help)"
  }
}

extension TextError {
  /// Remedies, one sentence each, the text to write instead first.
  public var help: [String] {
    (suggestion.map { ["did you mean \"\($0)\"?"] } ?? []) + (hint.map { [$0] } ?? [])
  }
}
