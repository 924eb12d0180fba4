import TimelineCore

/// Finds the valid word that is nearest to a misspelt one.
package enum Spelling {
  /// Returns the candidate nearest to `word`; `nil` if no candidate is near. About one letter in three may be wrong.
  ///
  /// A change of case and `_` for `-` cost nothing; any other change of a letter costs 1. The total cost may be at most
  /// `mistakesMax`. Of equally near candidates the first is returned. If `mistakesMax` is `nil` and no candidate is near,
  /// returns the first candidate that begins with `word`, if `word` has at least three letters.
  package static func nearest(
    to word: String, among candidates: some Collection<String>, atMost mistakesMax: Int? = nil
  ) -> String? {
    guard word.utf8.count <= ConfigurationLimits.spellingByteCountMax else { return nil }
    let folded = fold(word)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates where candidate.utf8.count <= ConfigurationLimits.spellingByteCountMax {
      let other = fold(candidate)
      let bound = min(
        best.map { $0.distance - 1 } ?? mistakesMax ?? .max, (max(folded.count, other.count) + 1) / 3)
      guard abs(folded.count - other.count) <= bound else { continue }
      let distance = distance(folded, other)
      if distance <= bound { best = (candidate, distance) }
    }
    guard best == nil, mistakesMax == nil else { return best?.candidate }
    // The beginning of a word stands for the whole word, for example `warn`.
    return candidates.first { folded.count >= 3 && fold($0).starts(with: folded) }
  }

  /// Returns hints for a zone that does not exist, one sentence each.
  package static func zoneHelp(for name: String, among zones: [String]) -> [String] {
    if let offset = FixedOffset(name) {
      return (offset.zoneName.map { ["did you mean \"\($0)\"?"] } ?? []) + [offset.hint]
    }
    let meant = ZoneAliases.zones(for: name).filter(zones.contains)
    if !meant.isEmpty {
      let list = meant.map { "\"\($0)\"" }.joined(separator: " or ")
      return ["\"\(name)\" is no place of the zone database: did you mean \(list)?"]
    }
    return nearestZone(to: name, among: zones).map { ["did you mean \"\($0)\"?"] } ?? []
  }

  /// Returns the zone that `name` misspells: a name in another case, the last part of a name (`berlin`), or a name
  /// with one typo. Returns `nil` if several zones match.
  private static func nearestZone(to name: String, among zones: [String]) -> String? {
    let folded = fold(name)
    guard folded.count <= ConfigurationLimits.spellingByteCountMax else { return nil }
    if let same = zones.first(where: { fold($0) == folded })
      ?? zones.first(where: { $0.split(separator: "/").last.map { fold(String($0)) } == folded })
    {
      return same
    }
    // In a short name, a change of one letter often yields another place.
    guard folded.count > 4 else { return nil }
    let near = zones.filter { distance(fold($0), folded) == 1 }
    return near.count == 1 ? near[0] : nil
  }

  /// Returns the words as a part of a sentence: `a, b or c`, each in backquotes.
  static func alternatives(_ words: some Sequence<String>) -> String {
    let quoted = words.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "nothing" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func fold(_ word: String) -> [UInt8] {
    word.lowercased().utf8.map { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: " ") ? UInt8(ascii: "-") : $0 }
  }

  /// Returns the number of insertions, deletions, replacements and swaps of neighbors that turn `left` into `right`
  /// (optimal string alignment).
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        let replaced = last[j] + (left[i] == right[j] ? 0 : 1)
        var cost = min(replaced, last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[right.count]
  }
}
