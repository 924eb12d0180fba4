import TimelineCore

/// Assigns unique names to jobs.
struct JobNames {
  private var taken: Set<String> = []
  /// The next number for each name.
  private var numbers: [String: Int] = [:]

  /// Returns a name made of parts that describe the job, from the general to the particular.
  ///
  /// Names must be unique over all files of a configuration. So a name begins with its source, and the names in two
  /// imported files do not collide.
  mutating func name(_ parts: [String]) -> String {
    var words: [String] = []
    for part in parts.map(Self.word) where !part.isEmpty {
      if let last = words.last, part == last { continue }
      words.append(part)
    }
    let stem = words.isEmpty ? "job" : words.joined(separator: "-")
    // Reserves room for a number.
    let base = String(stem.prefix(JobName.lengthMax - 5))
    var name = base
    var number = numbers[base] ?? 2
    while !taken.insert(name).inserted {
      name = "\(base)-\(number)"
      number += 1
    }
    numbers[base] = number
    return name
  }

  /// Returns a text with `-` in place of characters that are invalid in a name, and of dots, which would need quotes.
  private static func word(_ text: String) -> String {
    let bytes = text.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        byte
      default: UInt8(ascii: "-")
      }
    }
    let isEdge: (UInt8) -> Bool = { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    let trimmed = bytes.drop(while: isEdge).reversed().drop(while: isEdge).reversed()
    return String(decoding: Array(trimmed), as: UTF8.self)
  }
}
