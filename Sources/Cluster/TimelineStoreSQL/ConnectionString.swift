/// A connection string or URI of libpq, with the positions of its passwords.
package struct ConnectionString {
  package let text: String

  /// Accepts any text, valid or not.
  package init(_ text: String) { self.text = text }

  /// Returns a message of libpq with `***` in place of each quoted text that overlaps a password. If a password in a URI is
  /// not encoded, libpq parses a part of the password as a host or a port, and quotes this part.
  package func blanked(_ message: String) -> String {
    let passwords = passwords
    return message.split(separator: "\"", omittingEmptySubsequences: false).enumerated().map { index, part in
      let places = index % 2 == 1 && !part.isEmpty ? text.ranges(of: part) : []
      // A text that also occurs outside the passwords, for example as the user name, is not secret.
      let isSecret =
        !places.isEmpty && places.allSatisfy { place in passwords.contains { $0.overlaps(place) } }
      return isSecret ? "***" : String(part)
    }.joined(separator: "\"")
  }

  /// Positions in ``text``.
  private var passwords: [Range<String.Index>] {
    var places = text.ranges(of: "password").compactMap { valuePlace(after: $0.upperBound) }
    // RFC 3986, 3.2.1. The last @ ends the password. An earlier @ is part of the password.
    if let start = text.firstRange(of: "://")?.upperBound, let end = text[start...].lastIndex(of: "@"),
      let colon = text[start..<end].firstIndex(of: ":")
    {
      places.append(colon..<end)
    }
    return places
  }

  /// Returns the position of the value after a keyword. The value ends at the next keyword, because the quotes around blanks
  /// may be missing.
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
