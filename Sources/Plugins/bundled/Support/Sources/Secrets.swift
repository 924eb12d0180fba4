/// Secret texts, which are replaced by a mark in all log lines, results and errors.
///
/// A server may quote a request in its response, including its address or its authorization. So texts from responses are
/// passed through ``blanked(_:)``.
public struct Secrets: Sendable {
  /// The mark in place of a secret.
  public static let mark = "***"

  /// The secrets, the longest first, so that the replacement of a shorter secret does not leave parts of a longer one.
  private var secrets: [[UInt8]] = []

  /// Makes a set of secrets.
  public init(_ texts: [String] = []) { add(texts) }

  /// Adds secrets. A secret that may be part of a URL is also added in its decoded form.
  public mutating func add(_ texts: [String]) {
    add(texts.flatMap { [Array($0.utf8), Array($0.percentDecoded.utf8)] })
  }

  private mutating func add(_ texts: [[UInt8]]) {
    secrets = Set(secrets + texts).filter { !$0.isEmpty }.sorted { $0.count > $1.count }
  }

  /// Returns the text with the mark in place of each secret, in any spelling of the secret's characters.
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

/// ASCII characters in the spellings of servers: `%2F` in URLs, `\/` and `\u002F` in JSON, `&#47;`, `&#x2F;` and `&amp;` in
/// HTML.
private enum QuotedCharacter {
  /// Returns the rest of `text` after `secret`; `nil` if `text` does not begin with `secret`.
  static func rest(of text: ArraySlice<UInt8>, after secret: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = text
    for byte in secret {
      guard let first = rest.first else { return nil }
      guard let length = length(of: byte, in: rest) ?? (first == byte ? 1 : nil) else { return nil }
      rest = rest.dropFirst(length)
    }
    return rest
  }

  /// Returns the number of bytes at the beginning of `text` that are an escaped spelling of `byte`; `nil` if there is none.
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
      // 8 is the length of `&#x002F;`.
      text.prefix(8).firstIndex(of: UInt8(ascii: ";")).flatMap { end in
        reference(text[text.startIndex..<end].dropFirst()) == byte
          ? text.distance(from: text.startIndex, to: end) + 1 : nil
      }
    default: nil
    }
  }

  /// Returns the byte for a character reference; `name` is the reference without `&` and `;` (HTML, 13.5).
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
