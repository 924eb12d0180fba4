/// Varlink's interface definition language, read as far as tests need it (varlink.org/Interface-Definition).
struct InterfaceDescription {
  indirect enum Kind: Equatable {
    case bool, int, float, string, object
    case named(String)
    case array(Kind)
    case map(Kind)
    case optional(Kind)
    case structure([Field])
  }

  struct Field: Equatable {
    var name: String
    var kind: Kind
  }

  struct Method {
    var input: [Field]
    var output: [Field]
  }

  struct SyntaxError: Error { var text: String }

  var name = ""
  var types: [String: [Field]] = [:]
  var methods: [String: Method] = [:]
  var errors: [String: [Field]] = [:]

  init(parsing text: String) throws {
    var words = Words(text)
    try words.expect("interface")
    name = try words.next()
    while let keyword = words.peek {
      _ = try words.next()
      let member = try words.next()
      guard member.first?.isUppercase == true else {
        throw SyntaxError(text: "'\(member)' is no member's name")
      }
      switch keyword {
      case "type": types[member] = try words.structure()
      case "error": errors[member] = try words.structure()
      case "method":
        let input = try words.structure()
        try words.expect("->")
        methods[member] = Method(input: input, output: try words.structure())
      default: throw SyntaxError(text: "'\(keyword)' begins no member")
      }
    }
  }

  private struct Words {
    private var words: [String] = []

    init(_ text: String) {
      for line in text.split(separator: "\n") {
        var rest = (line.firstIndex(of: "#").map { line[..<$0] } ?? line)[...]
        while let first = rest.first {
          if first == " " {
            rest.removeFirst()
          } else if let symbol = ["->", "[string]", "[]", "(", ")", ":", ",", "?"].first(where: {
            rest.hasPrefix($0)
          }) {
            words.append(symbol)
            rest.removeFirst(symbol.count)
          } else {
            let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "-" }
            words.append(word.isEmpty ? String(first) : String(word))
            rest.removeFirst(max(word.count, 1))
          }
        }
      }
      words.reverse()
    }

    var peek: String? { words.last }

    mutating func next() throws -> String {
      guard let word = words.popLast() else { throw SyntaxError(text: "it ends in the middle") }
      return word
    }

    mutating func expect(_ wanted: String) throws {
      let word = try next()
      guard word == wanted else { throw SyntaxError(text: "'\(word)' in place of '\(wanted)'") }
    }

    mutating func structure() throws -> [Field] {
      try expect("(")
      var fields: [Field] = []
      if peek == ")" {
        _ = try next()
        return []
      }
      while true {
        let name = try next()
        guard name.first?.isLetter == true else { throw SyntaxError(text: "'\(name)' is no field's name") }
        try expect(":")
        fields.append(Field(name: name, kind: try kind()))
        let separator = try next()
        if separator == ")" { return fields }
        guard separator == "," else { throw SyntaxError(text: "'\(separator)' after a field") }
      }
    }

    private mutating func kind() throws -> Kind {
      switch peek {
      case "(": return .structure(try structure())
      default:
        switch try next() {
        case "?": return .optional(try kind())
        case "[]": return .array(try kind())
        case "[string]": return .map(try kind())
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case "object": return .object
        case let word where word.first?.isUppercase == true: return .named(word)
        case let word: throw SyntaxError(text: "'\(word)' is no type")
        }
      }
    }
  }
}
