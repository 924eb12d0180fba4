/// Names that people write in place of a zone: names without a zone, and legacy zones that are probably a mistake.
package enum ZoneAliases {
  /// Abbreviations and names of Windows (CLDR, windowsZones), in lower case. An ambiguous abbreviation is listed for
  /// each zone.
  private static let zones: [(name: String, words: [String])] = [
    ("America/New_York", ["edt", "et", "eastern standard time", "eastern time"]),
    ("America/Chicago", ["cst", "cdt", "ct", "central standard time", "central time"]),
    ("America/Denver", ["mdt", "mt", "mountain standard time", "mountain time"]),
    ("America/Los_Angeles", ["pst", "pdt", "pt", "pacific standard time", "pacific time"]),
    ("America/Anchorage", ["akst", "akdt", "alaskan standard time"]),
    ("Pacific/Honolulu", ["hawaiian standard time"]),
    ("America/Sao_Paulo", ["brt", "e. south america standard time"]),
    ("Europe/London", ["bst", "gmt standard time"]), ("Europe/Dublin", ["ist"]),
    ("Europe/Lisbon", ["west"]), ("Europe/Berlin", ["cest", "mez", "mesz", "w. europe standard time"]),
    ("Europe/Paris", ["romance standard time"]), ("Europe/Budapest", ["central europe standard time"]),
    ("Europe/Warsaw", ["central european standard time"]),
    ("Europe/Athens", ["eest", "gtb standard time"]), ("Europe/Kyiv", ["fle standard time"]),
    ("Europe/Moscow", ["msk", "russian standard time"]),
    ("Asia/Kolkata", ["ist", "india standard time"]), ("Asia/Jerusalem", ["ist", "israel standard time"]),
    ("Asia/Shanghai", ["cst", "china standard time"]), ("Asia/Tokyo", ["jst", "tokyo standard time"]),
    ("Asia/Seoul", ["kst", "korea standard time"]), ("Asia/Singapore", ["sgt", "singapore standard time"]),
    ("Asia/Hong_Kong", ["hkt"]),
    ("Australia/Sydney", ["aest", "aedt", "aus eastern standard time"]),
    ("Pacific/Auckland", ["nzst", "nzdt", "new zealand standard time"]),
  ]

  /// Returns the zones that `name` may mean.
  static func zones(for name: String) -> [String] {
    let word = name.lowercased()
    return zones.filter { $0.words.contains(word) }.map(\.name)
  }

  /// Returns the reason why a legacy name of the zone database is probably a mistake, and a remedy; `nil` for any
  /// other name.
  package static func problem(of name: String) -> (reason: String, help: String)? {
    switch name {
    case "EST":
      ("\"EST\" is 5 hours behind UTC all year", "did you mean \"America/New_York\", with daylight saving?")
    case "MST":
      ("\"MST\" is 7 hours behind UTC all year", "did you mean \"America/Denver\", with daylight saving?")
    case "HST": ("\"HST\" is 10 hours behind UTC all year", "write \"Pacific/Honolulu\", the place itself")
    case "Factory":
      (
        "\"Factory\" stands for a machine without a zone, and is UTC",
        "write the zone that is meant, such as \"UTC\""
      )
    case "posixrules":
      (
        "\"posixrules\" is no place: it holds rules for other zones",
        "write the zone that is meant, such as \"America/New_York\""
      )
    default: nil
    }
  }
}
