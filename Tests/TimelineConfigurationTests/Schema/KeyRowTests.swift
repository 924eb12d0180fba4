import Foundation
import Testing
import TimelineConfiguration

/// The rows of keys, in the schema for editors and in the reference. `TIMELINED_REGENERATE=1` writes both files again.
@Suite struct KeyRowTests {
  private static var root: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
  }

  /// Replaces lines of a file by `made`, or expects them to be the same.
  private func compare(_ path: String, _ made: ([String]) throws -> [String]) throws {
    let file = Self.root.appending(path: path)
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let wanted = try made(lines)
    if ProcessInfo.processInfo.environment["TIMELINED_REGENERATE"] == "1" {
      try wanted.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(lines == wanted, "`TIMELINED_REGENERATE=1` writes \(path) again")
    }
  }

  @Test func `the schema describes the keys of a schedule as their rows do`() throws {
    try compare("Sources/Engine/TimelineConfiguration/Schema/timelined.schema.json") { lines in
      let words = try #require(lines.firstIndex(of: #"        {"enum": ["every-minute", "on-demand"]},"#))
      let end = try #require(lines[(words + 1)...].firstIndex(of: "        }"))
      return lines[...words] + SchemaNode(KeyTable.schedule).lines(indent: 8) + lines[(end + 1)...]
    }
  }

  /// Tables of the reference by their heads, with their rows.
  private static let tables: [(head: String, rows: [KeyRow], isOfKinds: Bool)] =
    [
      ("| kind | value | entries |", KeyTable.schedule.rows.filter(\.isKind), true),
      (
        "| key beside a kind | value | default | meaning |", KeyTable.schedule.rows.filter { !$0.isKind },
        false
      ),
    ]
    + [KeyTable.periodic, .animation, .civil, .pick, .daylightSaving].map {
      ("| key of \($0.title) | value | default | meaning |", $0.rows, false)
    }

  @Test func `the tables of the reference have the rows of their keys`() throws {
    try compare("docs/reference.md") { lines in
      try Self.tables.reduce(lines) { lines, table in
        let head = try #require(lines.firstIndex(of: table.head), "\(table.head)")
        let end = try #require(lines[head...].firstIndex(of: ""))
        let rows = table.rows.map { row in
          table.isOfKinds
            ? "| `\(row.key)` | \(row.words) | \(row.meaning) |"
            : "| `\(row.key)` | \(row.words) | \(row.fallback) | \(row.meaning) |"
        }
        return lines[...(head + 1)] + rows + lines[end...]
      }
    }
  }
}

extension KeyRow {
  /// Whether the key is a kind of schedule.
  fileprivate var isKind: Bool { KeyTable.scheduleKinds.contains(key) }

  /// The row in the schema.
  fileprivate var node: SchemaNode {
    var members = value.members(isDescribed: true)
    let description = value.isText ? "\(sentence): \(words)." : "\(sentence)."
    members.insert(("description", .string(description)), at: 0)
    if fallback.hasPrefix("`"), let text = SchemaNode(json: fallback.filter { $0 != "`" }) {
      members.append(("default", text))
    }
    return .object(members)
  }

  private var sentence: String { meaning.prefix(1).uppercased() + meaning.dropFirst() }
}

extension KeyValue {
  fileprivate var isText: Bool { if case .text = self { true } else { false } }

  /// The members of the object that describes the values.
  fileprivate func members(isDescribed: Bool = false) -> [(String, SchemaNode)] {
    switch self {
    case .definition(let name):
      let reference = ("$ref", SchemaNode.string("#/definitions/\(name)"))
      return isDescribed ? [("allOf", .array([.object([reference])]))] : [reference]
    case .word(let words): return [("enum", .array(words.map(SchemaNode.string)))]
    case .text(let pattern):
      return [("type", .string("string"))] + (pattern.map { [("pattern", .string($0))] } ?? [])
    case .position(let range):
      return KeyValue.integer(range).members() + [("not", .object([("const", .bare("0"))]))]
    case .integer(let range):
      return [
        ("type", .string("integer")), ("minimum", .bare("\(range.lowerBound)")),
        ("maximum", .bare("\(range.upperBound)")),
      ]
    case .boolean: return [("type", .string("boolean"))]
    case .yes: return [("const", .bare("true"))]
    case .list(let element, let count, let isSet):
      var members: [(String, SchemaNode)] = [
        ("type", .string("array")), ("items", .object(element.members())),
      ]
      if count.lowerBound > 0 { members.append(("minItems", .bare("\(count.lowerBound)"))) }
      members.append(("maxItems", .bare("\(count.upperBound)")))
      if isSet { members.append(("uniqueItems", .bare("true"))) }
      return members
    case .table(let table): return SchemaNode.members(of: table)
    }
  }
}

/// JSON with its members in the order of writing.
private indirect enum SchemaNode {
  case string(String)
  /// A number or a truth value.
  case bare(String)
  case array([SchemaNode])
  case object([(String, SchemaNode)])

  /// Columns of a line.
  private static let columns = 120

  init(_ table: KeyTable) { self = .object(Self.members(of: table)) }

  /// Reads a string, a number or a truth value; `nil` for anything else.
  init?(json text: String) {
    if text.first == "\"", text.last == "\"", text.filter({ $0 == "\"" }).count == 2 {
      self = .string(String(text.dropFirst().dropLast()))
    } else if text == "true" || text == "false" || Int(text) != nil {
      self = .bare(text)
    } else {
      return nil
    }
  }

  /// The object that describes a table.
  static func members(of table: KeyTable) -> [(String, SchemaNode)] {
    let names = { (keys: [String]) in SchemaNode.array(keys.map(SchemaNode.string)) }
    let (kinds, others) = (table.rows.filter(\.isKind), table.rows.filter { !$0.isKind })
    var members: [(String, SchemaNode)] = [
      ("type", .string("object")), ("properties", .object(table.rows.map { ($0.key, $0.node) })),
      ("additionalProperties", .bare("false")),
    ]
    let required = table.rows.filter { $0.fallback == KeyRow.required }.map(\.key)
    if !required.isEmpty { members.append(("required", names(required))) }
    if !kinds.isEmpty {
      members.append(("oneOf", .array(kinds.map { .object([("required", names([$0.key] + $0.needs))]) })))
    }
    let needy = others.filter { !$0.needs.isEmpty }
    if !needy.isEmpty { members.append(("dependencies", .object(needy.map { ($0.key, names($0.needs)) }))) }
    return members
  }

  /// The text in one line.
  private var text: String {
    switch self {
    case .string(let value): Self.quoted(value)
    case .bare(let value): value
    case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\(Self.quoted($0.0)): \($0.1.text)" }.joined(separator: ", "))}"
    }
  }

  private static func quoted(_ value: String) -> String {
    "\"" + value.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
      + "\""
  }

  /// The lines of the text, after `prefix` and before `suffix`: one if it is short.
  func lines(indent: Int, _ prefix: String = "", _ suffix: String = "") -> [String] {
    let space = String(repeating: " ", count: indent)
    let line = space + prefix + text + suffix
    if line.count <= Self.columns { return [line] }
    let parts: [(String, SchemaNode)]
    let ends: (String, String)
    switch self {
    case .string, .bare: return [line]
    case .array(let elements): (parts, ends) = (elements.map { ("", $0) }, ("[", "]"))
    case .object(let members):
      (parts, ends) = (members.map { ("\(Self.quoted($0.0)): ", $0.1) }, ("{", "}"))
    }
    let inner = parts.enumerated().flatMap { place, part in
      part.1.lines(indent: indent + 2, part.0, place < parts.count - 1 ? "," : "")
    }
    return [space + prefix + ends.0] + inner + [space + ends.1 + suffix]
  }
}
