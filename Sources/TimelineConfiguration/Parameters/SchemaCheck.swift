/// Holds a job's parameters against a schema and says where in the file they do not fit.
struct SchemaCheck {
  let site: JobSite
  private(set) var diagnostics: [Diagnostic] = []

  /// A value of the file and the words that messages call it by.
  private struct Node {
    var value: TOMLValue
    /// Such as `with.command[1]`.
    var path: String
    var place: SourcePlace
    /// The key, or the element itself.
    var keyPlace: SourcePlace
  }

  init(site: JobSite) {
    self.site = site
  }

  /// What a job without `with` gives: a table without entries.
  private static let nothing = try? TOMLDocument.parse(SourceText(ConfigurationSource(path: "", bytes: [])))

  /// Checks the whole of `with`.
  mutating func run(_ schema: ParameterSchema) {
    guard let root = site.with ?? Self.nothing else { return }
    let place = site.withPlace
    check(Node(value: root, path: "with", place: place, keyPlace: place), schema)
  }

  private mutating func check(_ node: Node, _ schema: ParameterSchema) {
    guard diagnostics.count < Limits.diagnosticCountMax else { return }
    if schema.isNever {
      return report("`\(node.path)` must not be given", at: node.keyPlace, schema)
    }
    if let types = schema.types, !types.contains(where: { node.value.fits($0) }) {
      return report(
        "`\(node.path)` is \(node.value.kind)", at: node.place, schema,
        label: "expected \(schema.expectation)", help: node.value.help(toBecome: types))
    }
    if let choices = schema.choices { check(node, among: choices, schema) }
    switch node.value.content {
    case .table(let entries): check(node, entries, schema)
    case .array(let values): check(node, values, schema)
    case .integer(let number): check(node, Double(number), within: schema.numbers, schema)
    case .float(let number): check(node, number, within: schema.numbers, schema)
    case .string(let text):
      let count = Double(text.unicodeScalars.count)
      if !schema.lengths.contains(count) {
        report(
          "`\(node.path)` is too \(schema.lengths.isAbove(count) ? "short" : "long")", at: node.place, schema,
          label: "expected a length of \(schema.lengths.text)")
      }
    case .boolean, .localDate, .localTime, .localDateTime, .offsetDateTime: break
    }
    for part in schema.all { check(node, part) }
    checkForms(node, schema.any, of: schema, isExactlyOne: false)
    checkForms(node, schema.one, of: schema, isExactlyOne: true)
  }

  private mutating func check(_ node: Node, among choices: [JSONValue], _ schema: ParameterSchema) {
    guard !choices.contains(where: { node.value.equals($0) }) else { return }
    var help: [String] = []
    if case .string(let text) = node.value.content {
      let words = choices.compactMap { if case .string(let word) = $0 { word } else { nil } }
      help = Spelling.nearest(to: text, among: words).map { ["did you mean \"\($0)\"?"] } ?? []
    }
    let words = choices.prefix(12).map(\.tomlText).joined(separator: ", ")
    report(
      "`\(node.path)` cannot be \(node.value.shortText)", at: node.place, schema,
      label: choices.count == 1 ? "expected \(words)" : "expected one of \(words)", help: help)
  }

  private mutating func check(
    _ node: Node, _ number: Double, within bounds: ParameterSchema.Bounds, _ schema: ParameterSchema
  ) {
    guard !bounds.contains(number) else { return }
    report("`\(node.path)` is out of range", at: node.place, schema, label: "expected \(bounds.text)")
  }

  private mutating func check(_ node: Node, _ entries: TOMLTable, _ schema: ParameterSchema) {
    for name in schema.required where !entries.contains(where: { $0.key == name }) {
      let wanted = schema.properties[name]
      report(
        "the parameter `\(name)` is missing", at: node.keyPlace, wanted ?? ParameterSchema(),
        label: "expected `\(name)`, \(wanted?.expectation ?? "a value"), in `\(node.path)`")
    }
    for entry in entries {
      let child = Node(
        value: entry.value, path: "\(node.path).\(entry.key)", place: entry.value.place,
        keyPlace: entry.place)
      if let property = schema.properties[entry.key] {
        check(child, property)
      } else if case .schema(let additional) = schema.additional {
        guard additional.isNever else {
          check(child, additional)
          continue
        }
        let names = schema.properties.keys.sorted()
        let near = Spelling.nearest(to: entry.key, among: names)
        report(
          "unknown parameter `\(entry.key)`", at: child.keyPlace, ParameterSchema(),
          label: "expected a key of `\(node.path)`",
          help: [
            near.map { "did you mean `\($0)`?" }
              ?? (names.isEmpty
                ? "there are none" : "there are \(names.map { "`\($0)`" }.joined(separator: ", "))")
          ])
      }
    }
  }

  private mutating func check(_ node: Node, _ values: TOMLArray, _ schema: ParameterSchema) {
    let count = Double(values.count)
    if !schema.itemCounts.contains(count) {
      report(
        "`\(node.path)` has too \(schema.itemCounts.isAbove(count) ? "few" : "many") elements",
        at: node.place,
        schema, label: "expected a count of \(schema.itemCounts.text)")
    }
    guard case .schema(let items) = schema.items else { return }
    for (index, value) in values.enumerated() {
      let place = value.place
      check(Node(value: value, path: "\(node.path)[\(index)]", place: place, keyPlace: place), items)
    }
  }

  /// At least one of the forms must fit, or exactly one. Where only one is of the value's type, its faults are told.
  private mutating func checkForms(
    _ node: Node, _ forms: [ParameterSchema], of schema: ParameterSchema, isExactlyOne: Bool
  ) {
    guard !forms.isEmpty else { return }
    let faults = forms.map { form in
      var trial = SchemaCheck(site: site)
      trial.check(node, form)
      return trial.diagnostics
    }
    let fitCount = faults.count(where: \.isEmpty)
    if fitCount == 1 || fitCount > 1 && !isExactlyOne { return }
    let near = zip(forms, faults).filter { form, _ in form.types?.contains { node.value.fits($0) } ?? true }
    if fitCount == 0, near.count == 1 {
      diagnostics += near[0].1
      return
    }
    let expectations = forms.map(\.expectation)
    // Forms that ask for keys and not for a type are told apart by what the plugin says of them.
    let label =
      expectations.contains(ParameterSchema().expectation)
      ? nil : "expected " + expectations.joined(separator: ", or ")
    report(
      fitCount == 0
        ? "`\(node.path)` fits none of the \(forms.count) forms it may have"
        : "`\(node.path)` fits \(fitCount) of its forms and must fit one alone",
      at: node.place, schema, label: label)
  }

  private mutating func report(
    _ message: String, at place: SourcePlace, _ schema: ParameterSchema, label: String? = nil,
    help: [String] = []
  ) {
    let summary = schema.summary.map { ["the plugin says: \($0)"] } ?? []
    diagnostics.append(Diagnostic(place: place, message: message, label: label, help: help + summary))
  }
}
