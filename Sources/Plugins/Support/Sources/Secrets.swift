/// Texts that no log line, result or error has: a mark stands in their place.
///
/// A server may quote a request in its answer, and so its address or its authorization; what is made of the answer goes through
/// ``blanked(_:)``.
public struct Secrets: Sendable {
  /// The mark in place of a secret.
  public static let mark = "***"

  /// The secrets, the longest first, so that none hides a part of another.
  private var secrets: [[UInt8]] = []

  /// Makes a set of these secrets.
  public init(_ texts: [String] = []) { add(texts) }

  /// Adds secrets, as they are and, if they are parts of a URL, decoded.
  public mutating func add(_ texts: [String]) {
    add(texts.flatMap { [Array($0.utf8), Array($0.percentDecoded.utf8)] })
  }

  private mutating func add(_ texts: [[UInt8]]) {
    secrets = Set(secrets + texts).filter { !$0.isEmpty }.sorted { $0.count > $1.count }
  }

  /// The text with the mark in place of each secret, however its characters are spelled.
  public func blanked(_ text: String) -> String {
    guard !secrets.isEmpty else { return text }
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let first = rest.first {
      if let after = secrets.lazy.compactMap({ QuotedCharacter.rest(of: rest, after: $0) }).first {
        bytes += Self.mark.utf8
        rest = after
      } else {
        bytes.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Characters of ASCII as servers spell them in answers: `%2F` in URLs, `\/` and `\u002F` in JSON, `&#47;`, `&#x2F;` and `&amp;` in HTML.
private enum QuotedCharacter {
  /// The rest of `text` after `secret`; `nil` if it does not begin with that.
  static func rest(of text: ArraySlice<UInt8>, after secret: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = text
    for byte in secret {
      guard let first = rest.first else { return nil }
      guard let length = length(of: byte, in: rest) ?? (first == byte ? 1 : nil) else { return nil }
      rest = rest.dropFirst(length)
    }
    return rest
  }

  /// Bytes that `text` begins with and that stand for `byte`; `nil` if it is not spelled.
  private static func length(of byte: UInt8, in text: ArraySlice<UInt8>) -> Int? {
    switch text.first {
    case UInt8(ascii: "%"): number(text.dropFirst().prefix(2), radix: 16) == byte ? 3 : nil
    case UInt8(ascii: "\\"):
      if text.dropFirst().first == UInt8(ascii: "u") {
        number(text.dropFirst(2).prefix(4), radix: 16) == byte && byte < 0x80 ? 6 : nil
      } else {
        text.dropFirst().first == byte && "\"'/\\".utf8.contains(byte) ? 2 : nil
      }
    case UInt8(ascii: "&"):
      // As many bytes as `&#x002F;` has.
      text.prefix(8).firstIndex(of: UInt8(ascii: ";")).flatMap { end in
        reference(text[text.startIndex..<end].dropFirst()) == byte
          ? text.distance(from: text.startIndex, to: end) + 1 : nil
      }
    default: nil
    }
  }

  /// The byte that a character reference stands for, without its ends (HTML, 13.5).
  private static func reference(_ name: ArraySlice<UInt8>) -> UInt8? {
    if name.starts(with: "#x".utf8) || name.starts(with: "#X".utf8) {
      return number(name.dropFirst(2), radix: 16)
    }
    if name.first == UInt8(ascii: "#") { return number(name.dropFirst(), radix: 10) }
    return names[String(decoding: name, as: UTF8.self)]
  }

  private static let names = [
    "amp": UInt8(ascii: "&"), "apos": UInt8(ascii: "'"), "gt": UInt8(ascii: ">"), "lt": UInt8(ascii: "<"),
    "quot": UInt8(ascii: "\""),
  ]

  private static func number(_ digits: ArraySlice<UInt8>, radix: Int) -> UInt8? {
    UInt8(String(decoding: digits, as: UTF8.self), radix: radix)
  }
}
