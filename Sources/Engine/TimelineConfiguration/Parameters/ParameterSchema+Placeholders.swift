extension ParameterSchema {
  /// Remedies in one message.
  private static let remediesMax = 5
  /// Characters of a wrong placeholder in a remedy.
  private static let nameMax = 40

  /// Returns a remedy for each placeholder of `text` that the hint does not have, and for each `{` that is not closed.
  /// Empty if the hint has no placeholders.
  ///
  /// A placeholder is a name in braces, such as `{job}`, in the hint as in the text; `{{` is a brace.
  func placeholderHelp(for text: String) -> [String] {
    let known = Self.placeholders(in: hint ?? "").filter(\.isClosed).map(\.name)
    guard !known.isEmpty else { return [] }
    var help: [String] = []
    for (name, isClosed) in Self.placeholders(in: text) where !isClosed || !known.contains(name) {
      let near = isClosed ? Spelling.nearest(to: name, among: known) : nil
      let remedy =
        "`{\(name.prefix(Self.nameMax))\(isClosed ? "}` is no placeholder" : "` is not closed"): "
        + (near.map { "did you mean `{\($0)}`?" } ?? "write `{{` for a brace")
      if !help.contains(remedy) { help.append(remedy) }
      if help.count == Self.remediesMax { break }
    }
    return help
  }

  private static func placeholders(in text: String) -> [(name: String, isClosed: Bool)] {
    var found: [(name: String, isClosed: Bool)] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "{") {
      rest = rest[text.index(after: start)...]
      if rest.first == "{" {
        rest.removeFirst()
        continue
      }
      let name = rest.prefix { $0 != "{" && $0 != "}" }
      rest = rest[name.endIndex...]
      found.append((String(name), rest.first == "}"))
    }
    return found
  }
}
