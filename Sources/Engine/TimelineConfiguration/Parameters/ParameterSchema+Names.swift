import TimelineJSON

extension ParameterSchema {
  /// Whether the schema accepts `text` as the name of a key. A name is not a value of the file and has no place of
  /// its own.
  func admits(_ text: String, _ steps: inout SchemaSteps) -> Bool {
    guard steps.take(SchemaSteps.perValue + text.utf8.count + (choices?.count ?? 0)) else { return false }
    if isNever { return false }
    if let types, !types.contains(.string) { return false }
    if let choices, !choices.contains(.string(text)) { return false }
    if !lengths.contains(JSONNumber(Int64(text.unicodeScalars.count))) { return false }
    if let pattern, !pattern.matches(text, &steps) { return false }
    for part in all where !part.admits(text, &steps) { return false }
    if !any.isEmpty, !any.contains(where: { $0.admits(text, &steps) }) { return false }
    if !one.isEmpty, one.count(where: { $0.admits(text, &steps) }) != 1 { return false }
    if let forbidden = forbidden.schema, forbidden.admits(text, &steps) { return false }
    guard let condition = condition.schema else { return true }
    let branch = condition.admits(text, &steps) ? consequence : alternative
    return branch.schema?.admits(text, &steps) ?? true
  }
}
