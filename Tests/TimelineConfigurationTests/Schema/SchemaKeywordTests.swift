import Testing
import TimelineCore

@testable import TimelineConfiguration

/// Every keyword of JSON Schema is checked against the parameters, informs people, or is refused; none is ignored.
@Suite struct SchemaKeywordTests {
  /// All keywords of draft 2020-12, by its vocabularies.
  private static let draft = [
    "$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "$comment", "$defs",
    "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "prefixItems", "items",
    "contains",
    "properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedItems",
    "unevaluatedProperties", "type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum",
    "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems",
    "maxContains",
    "minContains", "maxProperties", "minProperties", "required", "dependentRequired", "title", "description",
    "default", "deprecated", "readOnly", "writeOnly", "examples", "format", "contentEncoding",
    "contentMediaType",
    "contentSchema",
  ]

  /// Messages about a job with these parameters; the schema is that of the parameter `v`.
  private static func findings(_ with: String, _ schema: String) throws -> [String] {
    try findings(of: "with = { \(with) }", whole: "{\"properties\": {\"v\": \(schema)}}")
  }

  private static func findings(of with: String, whole schema: String) throws -> [String] {
    let configuration = try configuration(with)
    return configuration.check(parametersOf: configuration.jobs.map(\.name), against: schema).map(\.message)
  }

  private static func configuration(_ with: String) throws -> Configuration {
    let text = "[job.a]\nplugin = \"exec\"\nschedule = \"on-demand\"\n\(with)\n"
    let source = ConfigurationSource(path: "a.toml", bytes: Array(text.utf8))
    return try Configuration.read([source], in: .golden).get()
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let keywords: String
    let schema: String
    let fit: [String]
    let unfit: [String]
    var testDescription: String { keywords }
  }

  static let rows = [
    Row(keywords: "type", schema: #"{"type": "integer"}"#, fit: ["1", "-0"], unfit: ["1.0", "'1'", "true"]),
    Row(
      keywords: "type", schema: #"{"type": ["number", "null"]}"#, fit: ["1", "1.0", "1e3"],
      unfit: ["'1'", "[]"]),
    Row(
      keywords: "enum", schema: #"{"enum": [1, "a", [2, {"k": 3}]]}"#,
      fit: ["1", "1.0", "'a'", "[2, {k = 3.0}]"], unfit: ["2", "'A'", "[2]"]),
    Row(keywords: "const", schema: #"{"const": 1.5}"#, fit: ["1.5"], unfit: ["1", "'1.5'"]),
    Row(keywords: "enum const", schema: #"{"const": 2, "enum": [1, 2]}"#, fit: ["2"], unfit: ["1"]),
    Row(
      keywords: "multipleOf", schema: #"{"multipleOf": 3}"#, fit: ["9", "-3", "0", "6.0", "'text'"],
      unfit: ["10", "9.5"]),
    Row(keywords: "multipleOf", schema: #"{"multipleOf": 0.1}"#, fit: ["0.3", "7", "1.1"], unfit: ["0.35"]),
    Row(
      keywords: "minimum maximum", schema: #"{"minimum": 1, "maximum": 9007199254740992}"#,
      fit: ["1", "9007199254740992", "'0'"], unfit: ["0", "0.9", "9007199254740993"]),
    Row(
      keywords: "exclusiveMinimum exclusiveMaximum",
      schema: #"{"exclusiveMinimum": 0, "minimum": 0, "exclusiveMaximum": 1}"#,
      fit: ["0.5"], unfit: ["0", "0.0", "1"]),
    Row(
      keywords: "minLength maxLength", schema: #"{"minLength": 2, "maxLength": 3}"#,
      fit: ["'äö'", "'abc'", "7"], unfit: ["'a'", "'abcd'"]),
    Row(
      keywords: "pattern", schema: #"{"pattern": "^[a-z]+(-[0-9]{2,3})?$"}"#,
      fit: ["'abc'", "'abc-12'", "3"], unfit: ["'Abc'", "'abc-1'", "''"]),
    Row(
      keywords: "pattern", schema: #"{"pattern": "2026-0[1-6]"}"#, fit: ["2026-05-01"], unfit: ["2026-07-01"]),
    Row(
      keywords: "properties required", schema: #"{"properties": {"k": {"const": 1}}, "required": ["k"]}"#,
      fit: ["{k = 1}", "{k = 1, x = 2}", "7"], unfit: ["{}", "{k = 2}"]),
    Row(
      keywords: "additionalProperties",
      schema: #"{"properties": {"k": true}, "additionalProperties": {"type": "string"}}"#,
      fit: ["{k = 1, x = 'a'}"], unfit: ["{x = 1}"]),
    Row(
      keywords: "patternProperties additionalProperties",
      schema: #"{"patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": false}"#,
      fit: ["{x-a = 1}", "{}"], unfit: ["{x-a = 'a'}", "{a = 1}"]),
    Row(
      keywords: "propertyNames", schema: #"{"propertyNames": {"maxLength": 3, "not": {"enum": ["no"]}}}"#,
      fit: ["{abc = 1}", "7"], unfit: ["{abcd = 1}", "{no = 1}"]),
    Row(
      keywords: "minProperties maxProperties", schema: #"{"minProperties": 1, "maxProperties": 2}"#,
      fit: ["{a = 1}", "{a = 1, b = 2}"], unfit: ["{}", "{a = 1, b = 2, c = 3}"]),
    Row(
      keywords: "dependentRequired", schema: #"{"dependentRequired": {"a": ["b"]}}"#,
      fit: ["{b = 1}", "{a = 1, b = 1}"], unfit: ["{a = 1}"]),
    Row(
      keywords: "dependentSchemas",
      schema: #"{"dependentSchemas": {"a": {"properties": {"b": {"const": 1}}}}}"#,
      fit: ["{b = 2}", "{a = 1, b = 1}"], unfit: ["{a = 1, b = 2}"]),
    Row(
      keywords: "items", schema: #"{"items": {"type": "integer"}}"#, fit: ["[]", "[1, 2]", "'a'"],
      unfit: ["['a']"]),
    Row(
      keywords: "prefixItems items", schema: #"{"prefixItems": [{"type": "string"}, true], "items": false}"#,
      fit: ["[]", "['a']", "['a', 1]"], unfit: ["[1]", "['a', 1, 2]"]),
    Row(
      keywords: "minItems maxItems", schema: #"{"minItems": 1, "maxItems": 2}"#, fit: ["[1]", "[1, 2]"],
      unfit: ["[]", "[1, 2, 3]"]),
    Row(
      keywords: "uniqueItems", schema: #"{"uniqueItems": true}"#, fit: ["[1, '1', 2]", "[[1], [2]]"],
      unfit: ["[1, 1.0]", "[{a = 1}, {a = 1}]"]),
    Row(keywords: "uniqueItems", schema: #"{"uniqueItems": false}"#, fit: ["[1, 1]"], unfit: []),
    Row(
      keywords: "contains", schema: #"{"contains": {"const": 1}}"#, fit: ["[0, 1]", "7"],
      unfit: ["[]", "[2]"]),
    Row(
      keywords: "contains minContains maxContains",
      schema: #"{"contains": {"minimum": 5}, "minContains": 0, "maxContains": 1}"#,
      fit: ["[]", "[5, 1]"], unfit: ["[5, 6]"]),
    Row(
      keywords: "allOf", schema: #"{"allOf": [{"minimum": 1}, {"maximum": 2}]}"#, fit: ["1"],
      unfit: ["0", "3"]),
    Row(
      keywords: "anyOf", schema: #"{"anyOf": [{"const": 1}, {"const": 2}]}"#, fit: ["1", "2"], unfit: ["3"]),
    Row(
      keywords: "oneOf", schema: #"{"oneOf": [{"minimum": 1}, {"maximum": 2}]}"#, fit: ["0", "3"],
      unfit: ["1"]),
    Row(
      keywords: "not", schema: #"{"not": {"type": "string", "pattern": " "}}"#, fit: ["'a'", "1"],
      unfit: ["'a b'"]),
    Row(keywords: "not", schema: #"{"not": {}}"#, fit: [], unfit: ["1", "{}"]),
    Row(
      keywords: "if then else",
      schema: #"{"if": {"type": "integer"}, "then": {"minimum": 5}, "else": {"maxLength": 1}}"#,
      fit: ["5", "'a'"], unfit: ["4", "'ab'"]),
    Row(
      keywords: "$ref $defs",
      schema: ##"{"$ref": "#/properties/v/$defs/a~1b", "$defs": {"a/b": {"minimum": 1}}, "maximum": 2}"##,
      fit: ["1"], unfit: ["0", "3"]),
    Row(
      keywords: "title description default deprecated readOnly writeOnly examples $comment $schema",
      schema:
        #"{"title": "t", "description": "d", "default": 1, "deprecated": true, "readOnly": true, "writeOnly": false, "examples": [1], "$comment": "c", "$schema": "https://json-schema.org/draft/2020-12/schema", "x-note": 1}"#,
      fit: ["1", "'a'"], unfit: []),
    Row(
      keywords: "x-timelined-command", schema: #"{"x-timelined-command": true}"#, fit: ["['a']"], unfit: []),
    Row(
      keywords: "x-timelined-credential", schema: #"{"x-timelined-credential": true}"#, fit: ["'a'"],
      unfit: []
    ),
    Row(
      keywords: "pattern x-timelined-hint", schema: #"{"pattern": "^a", "x-timelined-hint": "an a first"}"#,
      fit: ["'ab'"], unfit: ["'ba'"]),
  ]

  @Test(arguments: rows)
  func `a keyword is checked against the value`(row: Row) throws {
    for value in row.fit { #expect(try Self.findings("v = \(value)", row.schema) == [], "\(value)") }
    for value in row.unfit { #expect(try Self.findings("v = \(value)", row.schema).count == 1, "\(value)") }
    for keyword in row.keywords.split(separator: " ") { #expect(row.schema.contains("\"\(keyword)\"")) }
  }

  @Test(
    arguments: [
      (#""$id": "https://example.org/a""#, "`$id` is not supported"),
      (#""$anchor": "a""#, "`$anchor` is not supported"),
      (##""$dynamicRef": "#a""##, "`$dynamicRef` is not supported"),
      (#""$dynamicAnchor": "a""#, "`$dynamicAnchor` is not supported"),
      (#""$vocabulary": {}"#, "`$vocabulary` is not supported"),
      (#""unevaluatedItems": false"#, "`unevaluatedItems` is not supported: write `items`"),
      (
        #""unevaluatedProperties": false"#,
        "`unevaluatedProperties` is not supported: write `additionalProperties`"
      ),
      (#""format": "uri""#, "`format` is not supported: write `pattern`"),
      (#""contentEncoding": "base64""#, "`contentEncoding` is not supported"),
      (#""contentMediaType": "text/plain""#, "`contentMediaType` is not supported"),
      (#""contentSchema": {}"#, "`contentSchema` is not supported"),
      (#""definitions": {}"#, "`definitions` is not supported: write `$defs`"),
      (#""dependencies": {}"#, "`dependencies` is not supported"),
      (#""requierd": []"#, "did you mean `required`?"),
      (#""x-timelined-comand": true"#, "is no keyword"),
      (#""x-timelined-credential": "key""#, "there must be true or false"),
      (#""pattern": "a", "x-timelined-hint": 1"#, "there must be a string"),
      (#""x-timelined-hint": "a word""#, "asks nothing without `pattern`"),
      (#""then": {}"#, "`then` asks nothing without `if`"), (#""else": {}"#, "asks nothing without `if`"),
      (#""minContains": 1"#, "asks nothing without `contains`"),
      (#""maxContains": 1"#, "asks nothing without"),
      (#""items": [true]"#, "there must be an object, true or false"),
      (#""exclusiveMinimum": true"#, "there must be a number"), (#""multipleOf": 0"#, "a number above 0"),
      (#""uniqueItems": 1"#, "there must be true or false"),
      (#""minProperties": 1.5"#, "a whole number from 0 up"),
      (#""dependentRequired": {"a": "b"}"#, "there must be an array of strings"),
      (#""pattern": 1"#, "there must be a string"),
      (#""pattern": "(?=a)""#, "of a kind that is not supported"),
      (#""pattern": "(a""#, "it has a ( without a )"),
      (#""patternProperties": {"\\bx": true}"#, "\\b is not supported"),
      (##""$ref": "other.json""##, "does not begin with #/"), (##""$ref": "#/nowhere""##, "leads nowhere"),
      (##""$ref": "#""##, "leads back to itself"),
      (##""$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a""##, "leads back to itself"),
      (#""$schema": "http://json-schema.org/draft-07/schema#""#, "the only dialect that is read"),
    ])
  func `a keyword that would be ignored is refused in any place`(member: String, reason: String) throws {
    for whole in ["{\(member)}"]
      + (member.contains("#/$defs")
        ? []
        : [
          "{\"properties\": {\"v\": {\"items\": {\"not\": {\(member)}}}}}",
          "{\"allOf\": [{\"$defs\": {\"d\": {\(member)}}}]}",
        ])
    {
      let findings = try Self.findings(of: "", whole: whole)
      #expect(
        findings.count == 1 && findings[0].contains("broken schema") && findings[0].contains(reason),
        "\(findings)")
    }
  }

  /// A schema, and the label for a text that does not match.
  @Test(
    arguments: [
      (#"{"pattern": "^[a-z]+$"}"#, "expected a text that matches ^[a-z]+$"),
      (
        #"{"pattern": "^\#(String(repeating: "[a-z]", count: 20))$"}"#,
        "expected a text that matches ^\(String(repeating: "[a-z]", count: 20))$"
      ),
      (#"{"pattern": "^[a-z]+$", "x-timelined-hint": "small letters"}"#, "expected small letters"),
    ])
  func `a text that does not match gets the pattern or the author's hint`(schema: String, label: String)
    throws
  {
    let configuration = try Self.configuration("with = { v = '7' }")
    let findings = configuration.check(
      parametersOf: configuration.jobs.map(\.name), against: "{\"properties\": {\"v\": \(schema)}}")
    #expect(findings.map(\.label) == [label])
  }

  @Test func `no keyword of the draft is left out`() {
    for keyword in Self.draft {
      let isHeld = Self.rows.contains { $0.keywords.split(separator: " ").contains { $0 == keyword } }
      let objection = SchemaKeyword.objection(to: keyword)
      #expect(isHeld == (objection == nil), "\(keyword)")
      #expect(isHeld || objection?.contains("is not supported: ") == true, "\(keyword): \(objection ?? "")")
    }
    #expect(SchemaKeyword.honored.isDisjoint(with: SchemaKeyword.annotations))
    #expect(
      SchemaKeyword.honored.union(SchemaKeyword.annotations).subtracting(Self.draft) == [
        "x-timelined-command", "x-timelined-credential", "x-timelined-hint",
      ])
  }

  @Test func `references that multiply are a schema that is too large`() throws {
    let definitions = (0..<20).map {
      ##""d\##($0)": {"allOf": [{"$ref": "#/$defs/d\##($0 + 1)"}, {"$ref": "#/$defs/d\##($0 + 1)"}]}"##
    }
    let schema = "{\"$defs\": {\(definitions.joined(separator: ",")), \"d20\": {}}}"
    #expect(try Self.findings(of: "", whole: schema)[0].contains("more than 10000 schemas"))
  }
}
