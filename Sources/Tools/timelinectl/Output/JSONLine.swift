import FoundationEssentials

/// A value as one line of JSON, keys in alphabetical order so that two outputs can be compared.
func jsonLine(_ value: any Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
}
