/// Texts that no log line, result or error has: a mark stands in their place.
///
/// A server may quote a request in its answer, and so its address or its authorization; what is made of the answer goes through
/// ``blanked(_:)``.
public struct Secrets: Sendable {
  /// The mark in place of a secret.
  public static let mark = "***"

  /// The secrets in the forms in which they are quoted, the longest first, so that none hides a part of another.
  private var forms: [[UInt8]] = []

  /// Makes a set of these secrets.
  public init(_ texts: [String] = []) { add(texts) }

  /// Adds secrets: as they are, as parts of a URL, and as texts of JSON.
  public mutating func add(_ texts: [String]) {
    for text in texts where !text.isEmpty {
      let quoted = Self.escaping("\"", in: Self.escaping("\\", in: text))
      let texts = [
        text, text.percentEncoded, text.percentEncoded(by: "0123456789abcdef"), text.percentDecoded, quoted,
        Self.escaping("/", in: quoted),
      ]
      forms += Set(texts.map { Array($0.utf8) }).subtracting(forms)
    }
    forms.sort { $0.count > $1.count }
  }

  /// Adds the secrets of another set.
  public mutating func add(_ other: Secrets) {
    forms += Set(other.forms).subtracting(forms)
    forms.sort { $0.count > $1.count }
  }

  /// The text with the mark in place of each secret.
  public func blanked(_ text: String) -> String {
    guard !forms.isEmpty else { return text }
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let first = rest.first {
      if let form = forms.first(where: { rest.starts(with: $0) }) {
        bytes += Self.mark.utf8
        rest = rest.dropFirst(form.count)
      } else {
        bytes.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text with a backslash before each `character`.
  private static func escaping(_ character: Character, in text: String) -> String {
    String(text.flatMap { $0 == character ? ["\\", $0] : [$0] })
  }
}
