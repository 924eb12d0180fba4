/// The reason why a `pattern` cannot be used, as a clause.
struct SchemaPatternError: Error {
  var reason: String
}

extension SchemaPattern {
  /// Parses the characters of an expression.
  struct Reader {
    private let scalars: [Unicode.Scalar]
    private var place = 0
    private var depth = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    var isAtEnd: Bool { place == scalars.count }
    private var next: Unicode.Scalar? { isAtEnd ? nil : scalars[place] }

    func error(_ reason: String) -> SchemaPatternError { SchemaPatternError(reason: reason) }

    private mutating func pass(_ scalar: Unicode.Scalar) -> Bool {
      guard next == scalar else { return false }
      place += 1
      return true
    }

    mutating func choice() throws(SchemaPatternError) -> Node {
      var parts = [try sequence()]
      while pass("|") { parts.append(try sequence()) }
      return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() throws(SchemaPatternError) -> Node {
      var parts: [Node] = []
      while let scalar = next, scalar != "|", scalar != ")" { parts.append(try quantified(atom())) }
      return .sequence(parts)
    }

    private mutating func atom() throws(SchemaPatternError) -> Node {
      let scalar = scalars[place]
      place += 1
      switch scalar {
      case "^": return .start
      case "$": return .end
      case ".": return .set(Characters(ranges: [0xA...0xA, 0xD...0xD, 0x2028...0x2029], isNegated: true))
      case "(": return try group()
      case "[": return .set(try characterClass())
      case "\\": return .set(try escaped())
      case "*", "+", "?": throw error("\"\(scalar)\" repeats nothing")
      case "{", "}", "]": throw error("\"\(scalar)\" stands alone: write \\\(scalar)")
      default: return .set(Characters(ranges: [scalar.value...scalar.value]))
      }
    }

    private mutating func group() throws(SchemaPatternError) -> Node {
      if pass("?"), !pass(":") { throw error("it has a group (?...) of a kind that is not supported") }
      depth += 1
      guard depth <= depthMax else { throw error("its groups nest more than \(depthMax) deep") }
      let node = try choice()
      depth -= 1
      guard pass(")") else { throw error("it has a ( without a )") }
      return node
    }

    private mutating func quantified(_ node: Node) throws(SchemaPatternError) -> Node {
      let from: Int
      let to: Int?
      switch next {
      case "*": (from, to) = (0, nil)
      case "+": (from, to) = (1, nil)
      case "?": (from, to) = (0, 1)
      case "{":
        place += 1
        let count = try number()
        from = count
        if pass(",") {
          to = next == "}" ? nil : try number()
        } else {
          to = count
        }
        guard next == "}", from <= to ?? from else {
          throw error("it has a {} that is not {n}, {n,} or {n,m}")
        }
      default: return node
      }
      if case .start = node { throw error("an anchor cannot be repeated") }
      if case .end = node { throw error("an anchor cannot be repeated") }
      place += 1
      // A lazy quantifier (`?`) has no effect on whether the expression matches.
      _ = pass("?")
      if let next, "*+?{".unicodeScalars.contains(next) { throw error("\"\(next)\" repeats nothing") }
      return .repetition(node, from: from, to: to)
    }

    private mutating func number() throws(SchemaPatternError) -> Int {
      var digits = ""
      while let scalar = next, ("0"..."9").contains(scalar) {
        digits.unicodeScalars.append(scalar)
        place += 1
      }
      guard let number = Int(digits), number <= repetitionMax else {
        throw error("expected a number of at most \(repetitionMax) in {}")
      }
      return number
    }

    private mutating func characterClass() throws(SchemaPatternError) -> Characters {
      var set = Characters(ranges: [], isNegated: pass("^"))
      while !pass("]") {
        let first = try member()
        if next == "-", place + 1 < scalars.count, scalars[place + 1] != "]" {
          place += 1
          let last = try member()
          guard first.count == 1, last.count == 1, first[0].count == 1, last[0].count == 1,
            first[0].lowerBound <= last[0].lowerBound
          else { throw error("it has a range of characters out of order") }
          set.ranges.append(first[0].lowerBound...last[0].lowerBound)
        } else {
          set.ranges += first
        }
      }
      return set
    }

    private mutating func member() throws(SchemaPatternError) -> [ClosedRange<UInt32>] {
      guard let scalar = next else { throw error("it has a [ without a ]") }
      place += 1
      guard scalar == "\\" else { return [scalar.value...scalar.value] }
      let set = try escaped()
      guard !set.isNegated else {
        throw error("\\D, \\S and \\W cannot stand in [ ]: negate the class with [^")
      }
      return set.ranges
    }

    private static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
    private static let words: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    private static let blanks: [ClosedRange<UInt32>] = [
      0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
      0x202F...0x202F,
      0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ]

    private mutating func escaped() throws(SchemaPatternError) -> Characters {
      guard let scalar = next else { throw error("it ends with \\") }
      place += 1
      switch scalar {
      case "d": return Characters(ranges: Self.digits)
      case "D": return Characters(ranges: Self.digits, isNegated: true)
      case "w": return Characters(ranges: Self.words)
      case "W": return Characters(ranges: Self.words, isNegated: true)
      case "s": return Characters(ranges: Self.blanks)
      case "S": return Characters(ranges: Self.blanks, isNegated: true)
      case "t": return Characters(ranges: [0x9...0x9])
      case "n": return Characters(ranges: [0xA...0xA])
      case "v": return Characters(ranges: [0xB...0xB])
      case "f": return Characters(ranges: [0xC...0xC])
      case "r": return Characters(ranges: [0xD...0xD])
      case "x": return try coded(digitCount: 2)
      case "u": return try coded(digitCount: 4)
      case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/", "-":
        return Characters(ranges: [scalar.value...scalar.value])
      default: throw error("\\\(scalar) is not supported")
      }
    }

    private mutating func coded(digitCount: Int) throws(SchemaPatternError) -> Characters {
      let digits = scalars[place...].prefix(digitCount)
      let text = String(String.UnicodeScalarView(digits))
      guard digits.count == digitCount, digits.allSatisfy(\.properties.isASCIIHexDigit),
        let value = UInt32(text, radix: 16)
      else { throw error("expected \(digitCount) hexadecimal digits after \\x or \\u") }
      place += digitCount
      return Characters(ranges: [value...value])
    }
  }
}
