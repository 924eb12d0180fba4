/// A connection string or URI of libpq, as far as it has a password.
package struct ConnectionString {
  /// The string as libpq takes it.
  package let text: String

  /// Takes a string in any form, right or wrong.
  package init(_ text: String) { self.text = text }

  /// The message of libpq about the string, with `***` in place of each text in quotes that has a part of a password: of one that is
  /// not encoded in a URI, libpq takes the rest for a host or a port, and quotes it.
  package func blanked(_ message: String) -> String {
    let passwords = passwords
    return message.split(separator: "\"", omittingEmptySubsequences: false).enumerated().map { index, part in
      let places = index % 2 == 1 && !part.isEmpty ? text.ranges(of: part) : []
      // What also stands elsewhere, as the name of a user, is no secret.
      let isSecret =
        !places.isEmpty && places.allSatisfy { place in passwords.contains { $0.overlaps(place) } }
      return isSecret ? "***" : String(part)
    }.joined(separator: "\"")
  }

  /// The places of passwords.
  private var passwords: [Range<String.Index>] {
    var places = text.ranges(of: "password").compactMap { valuePlace(after: $0.upperBound) }
    // RFC 3986, 3.2.1; an @ in the password stands before the one that ends it.
    if let start = text.firstRange(of: "://")?.upperBound, let end = text[start...].lastIndex(of: "@"),
      let colon = text[start..<end].firstIndex(of: ":")
    {
      places.append(colon..<end)
    }
    return places
  }

  /// The place of the value that follows a keyword: up to the next keyword, because blanks may be missing their quotes.
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
