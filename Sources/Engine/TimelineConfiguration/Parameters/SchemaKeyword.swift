/// The keywords of JSON Schema, and their support here.
enum SchemaKeyword {
  /// Keywords that are checked.
  static let honored: Set<String> = [
    "type", "enum", "const", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "minLength",
    "maxLength", "pattern", "properties", "patternProperties", "additionalProperties", "propertyNames",
    "required",
    "minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "prefixItems", "items",
    "minItems",
    "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "allOf", "anyOf", "oneOf", "not",
    "if", "then",
    "else", "$ref", "$defs", "x-timelined-command", "x-timelined-credential", "x-timelined-hint",
  ]

  /// Keywords that only inform readers.
  static let annotations: Set<String> = [
    "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment",
    "$schema",
  ]

  /// The only supported dialect of JSON Schema.
  static let dialect = "https://json-schema.org/draft/2020-12/schema"

  /// Returns the reason why `keyword` is not allowed in a schema, as a clause; `nil` if it is allowed.
  static func objection(to keyword: String) -> String? {
    if honored.contains(keyword) || annotations.contains(keyword) || isPrivate(keyword) { return nil }
    if let instead = replacements[keyword] { return "`\(keyword)` is not supported: \(instead)" }
    let near = Spelling.nearest(to: keyword, among: honored.union(annotations).sorted(), atMost: 2)
    return "`\(keyword)` is no keyword that is supported" + (near.map { ": did you mean `\($0)`?" } ?? "")
  }

  /// Whether a keyword is a private annotation, which has no effect here: `x-`, but not `x-timelined-`.
  private static func isPrivate(_ keyword: String) -> Bool {
    keyword.hasPrefix("x-") && !keyword.hasPrefix("x-timelined-")
  }

  /// Replacements for known keywords that are not supported.
  private static let replacements = [
    "$id": "a schema is one text, and its parts are found by `$ref` from its root",
    "$anchor": "write `$ref` with the way from the root, such as #/$defs/name",
    "$dynamicRef": "write `$ref`", "$dynamicAnchor": "write `$ref` with the way from the root",
    "$vocabulary": "the vocabularies are those of draft 2020-12 without its formats",
    "unevaluatedProperties": "write `additionalProperties`", "unevaluatedItems": "write `items`",
    "format": "write `pattern`", "contentEncoding": "write `pattern`",
    "contentMediaType": "write it into `description`",
    "contentSchema": "write it into `description`",
    // Keywords of older drafts.
    "definitions": "write `$defs`", "dependencies": "write `dependentRequired` or `dependentSchemas`",
    "additionalItems": "write `items` beside `prefixItems`", "id": "a schema is one text",
    "$recursiveRef": "write `$ref`", "$recursiveAnchor": "write `$ref` with the way from the root",
  ]
}
