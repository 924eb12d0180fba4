/// Finds the keyword that a word misspells. A word that merely looks similar is not a misspelling: `sunset` is not `Sun`.
enum Keyword {
  /// The one keyword that begins with `word`, whose plural is `word`, or that differs from `word` by one typo; `nil`
  /// if there is none or more than one.
  ///
  /// - Parameters:
  ///   - word: The word in lower case; words of one letter match nothing.
  ///   - keywords: The keywords in lower case.
  static func nearest(to word: [UInt8], among keywords: [String]) -> String? {
    guard (2...lengthMax).contains(word.count) else { return nil }
    let begun = keywords.filter { $0.utf8.starts(with: word) }
    if begun.count == 1 { return begun[0] }
    guard begun.isEmpty else { return nil }
    if let plural = keywords.first(where: { word.elementsEqual(($0 + "s").utf8) }) { return plural }
    guard word.count > 3 else { return nil }
    let near = keywords.filter { isOneSlip(from: Array($0.utf8), to: word) }
    return near.count == 1 ? near[0] : nil
  }

  /// Maximum length of a word in bytes: longer than any keyword. Keeps the work for a hostile text small.
  private static let lengthMax = 24

  /// Whether the words differ by one missing, extra or replaced letter, or by two neighbors that have changed places.
  private static func isOneSlip(from keyword: [UInt8], to word: [UInt8]) -> Bool {
    let head = zip(keyword, word).prefix { $0 == $1 }.count
    let (rest, other) = (keyword[head...], word[head...])
    switch other.count - rest.count {
    case 1: return other.dropFirst().elementsEqual(rest)
    case -1: return rest.dropFirst().elementsEqual(other)
    case 0:
      if rest.dropFirst().elementsEqual(other.dropFirst()) { return true }
      return rest.count > 1 && rest.dropFirst(2).elementsEqual(other.dropFirst(2))
        && rest.prefix(2).elementsEqual(other.prefix(2).reversed())
    default: return false
    }
  }
}
