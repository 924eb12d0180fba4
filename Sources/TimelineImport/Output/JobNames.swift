import TimelineCore

/// Gives out names of jobs, each once.
struct JobNames {
  private var taken: Set<String> = []
  /// The next number of each name.
  private var numbers: [String: Int] = [:]

  /// Returns a name made of what belongs to the job, from the general to the particular.
  ///
  /// Names are unique over all files of a configuration, so that they begin with their source: two imported files then do not
  /// collide.
  mutating func name(_ parts: [String]) -> String {
    var words: [String] = []
    for part in parts.map(Self.word) where !part.isEmpty {
      if let last = words.last, part == last { continue }
      words.append(part)
    }
    let stem = words.isEmpty ? "job" : words.joined(separator: "-")
    // Room for a number.
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

  /// The characters of a text that a name may have; others become `-`. A dot would need quotes.
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
