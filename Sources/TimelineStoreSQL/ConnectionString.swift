/// A connection string or URI of libpq, with the positions of its passwords.
package struct ConnectionString {
  /// The string for libpq.
  package let text: String

  /// Makes a connection string from a text in any form, valid or not.
  package init(_ text: String) { self.text = text }

  /// Returns a message of libpq about the string, with `***` in place of each quoted text that contains a part of a password. If
  /// a password in a URI is not encoded, libpq parses a part of it as a host or a port, and quotes that.
  package func blanked(_ message: String) -> String {
    let passwords = passwords
    return message.split(separator: "\"", omittingEmptySubsequences: false).enumerated().map { index, part in
      let places = index % 2 == 1 && !part.isEmpty ? text.ranges(of: part) : []
      // A text that also occurs elsewhere, for example as the user name, is not secret.
      let isSecret =
        !places.isEmpty && places.allSatisfy { place in passwords.contains { $0.overlaps(place) } }
      return isSecret ? "***" : String(part)
    }.joined(separator: "\"")
  }

  /// The positions of passwords.
  private var passwords: [Range<String.Index>] {
    var places = text.ranges(of: "password").compactMap { valuePlace(after: $0.upperBound) }
    // RFC 3986, 3.2.1. An @ in the password precedes the @ that ends it.
    if let start = text.firstRange(of: "://")?.upperBound, let end = text[start...].lastIndex(of: "@"),
      let colon = text[start..<end].firstIndex(of: ":")
    {
      places.append(colon..<end)
    }
    return places
  }

  /// Returns the position of the value of a keyword. The value ends at the next keyword, because the quotes around blanks may
  /// be missing.
  private func valuePlace(after keyword: String.Index) -> Range<String.Index>? {
    let rest = text[keyword...].drop { $0 == " " }
    guard rest.first == "=" else { return nil }
    let value = rest.dropFirst()
    let end = value.indices.first { index in
      guard " &".contains(value[index]) else { return false }
      let next = value[index...].dropFirst().drop { $0.isLowercase || $0 == "_" }
      return next.startIndex > value.index(after: index) && next.drop { $0 == " " }.first == "="
    }
    return value.startIndex..<(end ?? value.endIndex)
  }
}
