extension ParameterSchema {
  /// Returns the placeholder of the hint that is nearest to one in `text` that the hint does not have; `nil` if none is near.
  ///
  /// A placeholder is a name in braces, such as `{job}`, in the hint as in the text.
  func nearestPlaceholder(in text: String) -> String? {
    let known = Self.placeholders(in: hint ?? "")
    for name in Self.placeholders(in: text) where !known.contains(name) {
      if let near = Spelling.nearest(to: name, among: known) { return near }
    }
    return nil
  }

  private static func placeholders(in text: String) -> [String] {
    text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
      part.firstIndex(of: "}").map { String(part[..<$0]) }
    }
  }
}
