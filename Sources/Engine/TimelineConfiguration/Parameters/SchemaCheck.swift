import TimelineJSON

/// Checks a job's parameters against a schema. Reports the places in the file that do not match.
struct SchemaCheck {
  let site: JobSourceLocation
  private(set) var diagnostics: [Diagnostic] = []
  /// Values that the schema marks as a command, in the order of the file.
  private(set) var commands: [ParameterReference] = []
  /// Values that the schema marks as a credential, in the order of the file.
  private(set) var credentials: [ParameterReference] = []
  /// Remaining steps. At zero, the check has no result.
  private(set) var steps: SchemaSteps

  /// Characters of a plugin's text in a message: a few sentences. Without a limit, each error could repeat pages of a
  /// schema's text.
  private static let textMax = 400
  /// Names of parameters in a message.
  private static let namesMax = 40

  /// A value of the file, with its name in messages.
  struct Node {
    var value: TOMLValue
    /// For example `with.command[1]`.
    var path: String
    var place: SourcePlace
    /// Place of the key; for an array element, place of the element.
    var keyPlace: SourcePlace
  }

  init(site: JobSourceLocation, steps: SchemaSteps) {
    self.site = site
    self.steps = steps
  }

  /// An empty table, checked for a job without `with`.
  private static let nothing = try? TOMLDocument.parse(SourceText(ConfigurationSource(path: "", bytes: [])))

  /// Checks the whole value of `with`.
  mutating func run(_ schema: ParameterSchema) {
    guard let root = site.with ?? Self.nothing else { return }
    let place = site.withPlace
    check(Node(value: root, path: "with", place: place, keyPlace: place), schema)
  }

  private mutating func check(_ node: Node, _ schema: ParameterSchema) {
    guard steps.take(SchemaSteps.perValue), diagnostics.count < ConfigurationLimits.diagnosticCountMax else {
      return
    }
    if schema.isNever {
      return report("`\(node.path)` must not be given", at: node.keyPlace, schema)
    }
    if let types = schema.types, !types.contains(where: { node.value.fits($0) }) {
      return report(
        "`\(node.path)` is \(node.value.kind)", at: node.place, schema,
        label: "expected \(schema.expectation)", help: node.value.help(toBecome: types))
    }
    if let choices = schema.choices { check(node, among: choices, schema) }
    if schema.isCommand {
      commands.append(.given(node.value, takesArray: schema.types?.contains(.array) ?? true))
    }
    if schema.isCredential { credentials.append(.given(node.value)) }
    switch node.value.content {
    case .table(let entries): check(node, entries, schema)
    case .array(let values): check(node, values, schema)
    case .integer(let number): check(node, JSONNumber(number), schema)
    case .float(let number): check(node, JSONNumber(number), schema)
    case .string(let text): check(node, text, schema)
    case .localDate, .localTime, .localDateTime, .offsetDateTime:
      check(node, node.value.dateText ?? "", schema)
    case .boolean: break
    }
    checkForms(node, schema)
  }

  private mutating func check(_ node: Node, among choices: [JSONValue], _ schema: ParameterSchema) {
    guard steps.take(choices.count * node.value.size),
      !choices.contains(where: { node.value.equals($0) })
    else { return }
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

  private mutating func check(_ node: Node, _ number: JSONNumber, _ schema: ParameterSchema) {
    if !schema.numbers.contains(number) {
      report(
        "`\(node.path)` is out of range", at: node.place, schema, label: "expected \(schema.numbers.text)")
    }
    if let divisor = schema.divisor, !number.isMultiple(of: divisor) {
      report(
        "`\(node.path)` is \(number)", at: node.place, schema, label: "expected a multiple of \(divisor)")
    }
  }

  private mutating func check(_ node: Node, _ text: String, _ schema: ParameterSchema) {
    guard steps.take(text.utf8.count / 8) else { return }
    let length = JSONNumber(Int64(text.unicodeScalars.count))
    if !schema.lengths.contains(length) {
      report(
        "`\(node.path)` is too \(schema.lengths.isBelow(length) ? "short" : "long")", at: node.place, schema,
        label: "expected a length of \(schema.lengths.text)")
    }
    if let pattern = schema.pattern, !pattern.matches(text, &steps) {
      let help = schema.placeholderHelp(for: text)
      // The label lists the placeholders; a summary would list them again.
      report(
        "`\(node.path)` cannot be \(node.value.shortText)", at: node.place,
        help.isEmpty ? schema : ParameterSchema(), label: schema.expectedText.map { "expected \($0)" },
        help: help)
    }
  }

  private mutating func check(_ node: Node, _ entries: TOMLTable, _ schema: ParameterSchema) {
    for name in schema.required { require(name, node, entries, schema) }
    let count = JSONNumber(Int64(entries.count))
    if !schema.propertyCounts.contains(count) {
      report(
        "`\(node.path)` has too \(schema.propertyCounts.isBelow(count) ? "few" : "many") keys",
        at: node.keyPlace,
        schema, label: "expected a count of \(schema.propertyCounts.text)")
    }
    for entry in entries { check(entry, of: node, schema) }
    for (key, command) in schema.defaultCommands where !entries.contains(where: { $0.key == key }) {
      commands.append(.omitted(command, of: node.keyPlace))
    }
  }

  private mutating func require(
    _ name: String, _ node: Node, _ entries: TOMLTable, _ schema: ParameterSchema,
    besides other: String? = nil
  ) {
    guard steps.take(1 + entries.count), !entries.contains(where: { $0.key == name }) else { return }
    let wanted = schema.properties[name]
    report(
      "the parameter `\(name)` is missing" + (other.map { " beside `\($0)`" } ?? ""), at: node.keyPlace,
      wanted ?? ParameterSchema(),
      label: "expected `\(name)`, \(wanted?.expectation ?? "a value"), in `\(node.path)`")
  }

  private mutating func check(_ entry: TOMLEntry, of node: Node, _ schema: ParameterSchema) {
    let key = entry.key
    let child = Node(
      value: entry.value, path: "\(node.path).\(key)", place: entry.value.place, keyPlace: entry.place)
    if let names = schema.names.schema, !names.admits(key, &steps) {
      let isOfPattern = names.pattern?.matches(key, &steps) ?? true
      report(
        "`\(child.path)` is no key that may be there", at: child.keyPlace, names,
        label: isOfPattern ? nil : names.expectedText.map { "expected \($0)" })
    }
    for name in schema.dependentRequired[key] ?? [] {
      if case .table(let entries) = node.value.content { require(name, node, entries, schema, besides: key) }
    }
    if let dependent = schema.dependentSchemas[key] { check(node, dependent) }
    let matching = schema.patternProperties.filter { $0.pattern.matches(key, &steps) }
    if let property = schema.properties[key] { check(child, property) }
    for (_, property) in matching { check(child, property) }
    guard schema.properties[key] == nil, matching.isEmpty, let additional = schema.additional.schema else {
      return
    }
    guard additional.isNever else { return check(child, additional) }
    let names = schema.properties.keys.sorted()
    guard steps.take(names.count * (SchemaSteps.perValue + key.utf8.count)) else { return }
    let near = Spelling.nearest(to: key, among: names)
    report(
      "unknown parameter `\(key)`", at: child.keyPlace, ParameterSchema(),
      label: "expected a key of `\(node.path)`",
      help: [
        near.map { "did you mean `\($0)`?" }
          ?? (names.isEmpty
            ? "there are none"
            : "there are \(names.prefix(Self.namesMax).map { "`\($0)`" }.joined(separator: ", "))")
      ])
  }

  private mutating func check(_ node: Node, _ values: TOMLArray, _ schema: ParameterSchema) {
    let count = JSONNumber(Int64(values.count))
    if !schema.itemCounts.contains(count) {
      report(
        "`\(node.path)` has too \(schema.itemCounts.isBelow(count) ? "few" : "many") elements",
        at: node.place,
        schema, label: "expected a count of \(schema.itemCounts.text)")
    }
    for (index, value) in values.enumerated() {
      let place = value.place
      let child = Node(value: value, path: "\(node.path)[\(index)]", place: place, keyPlace: place)
      if index < schema.prefixItems.count {
        check(child, schema.prefixItems[index])
      } else if let items = schema.items.schema {
        check(child, items)
      }
    }
    if schema.hasUniqueItems { checkUnique(node, values, schema) }
    guard let contained = schema.contained.schema else { return }
    var fitting: Int64 = 0
    for value in values
    where fits(Node(value: value, path: "", place: node.place, keyPlace: node.place), contained) {
      fitting += 1
    }
    let fitCount = JSONNumber(fitting)
    if !schema.containedCounts.contains(fitCount) {
      report(
        "`\(node.path)` has \(fitCount) elements of the kind that it must hold", at: node.place, contained,
        label: "expected \(schema.containedCounts.text) of them, each \(contained.expectation)")
    }
  }

  private mutating func checkUnique(_ node: Node, _ values: TOMLArray, _ schema: ParameterSchema) {
    guard steps.take(node.value.size) else { return }
    var seen: Set<JSONValue> = []
    for value in values where !seen.insert(value.json).inserted {
      return report(
        "`\(node.path)` has an element twice", at: value.place, schema, label: "expected another one")
    }
  }

  private mutating func checkForms(_ node: Node, _ schema: ParameterSchema) {
    for part in schema.all { check(node, part) }
    checkForms(node, schema.any, of: schema, isExactlyOne: false)
    checkForms(node, schema.one, of: schema, isExactlyOne: true)
    if let forbidden = schema.forbidden.schema, fits(node, forbidden) {
      report(
        "`\(node.path)` is what it must not be", at: node.place, forbidden.summary == nil ? schema : forbidden
      )
    }
    if let condition = schema.condition.schema {
      let branch = fits(node, condition) ? schema.consequence : schema.alternative
      if let branch = branch.schema { check(node, branch) }
    }
  }

  /// Checks that at least one form matches; with `isExactlyOne`, exactly one. If no form matches and only one form
  /// has the type of the value, reports that form's faults.
  private mutating func checkForms(
    _ node: Node, _ forms: [ParameterSchema], of schema: ParameterSchema, isExactlyOne: Bool
  ) {
    guard !forms.isEmpty else { return }
    var trials: [SchemaCheck] = []
    for form in forms { trials.append(trial(node, form)) }
    for trial in trials where trial.diagnostics.isEmpty { takeReferences(of: trial) }
    let fitCount = trials.count(where: \.diagnostics.isEmpty)
    if fitCount == 1 || fitCount > 1 && !isExactlyOne { return }
    let near = zip(forms, trials).filter { form, _ in form.types?.contains { node.value.fits($0) } ?? true }
    if fitCount == 0, near.count == 1 {
      diagnostics += near[0].1.diagnostics
      takeReferences(of: near[0].1)
      return
    }
    let expectations = forms.map(\.expectation)
    // Some forms require keys and no type. They differ only in the plugin's description, so their types are not
    // listed.
    let label =
      expectations.contains(ParameterSchema().expectation)
      ? nil : "expected " + expectations.joined(separator: ", or ")
    report(
      fitCount == 0
        ? "`\(node.path)` matches none of the \(forms.count) allowed forms"
        : "`\(node.path)` fits \(fitCount) of its forms and must fit one alone",
      at: node.place, schema, label: label)
  }

  private mutating func takeReferences(of trial: SchemaCheck) {
    commands += trial.commands
    credentials += trial.credentials
  }

  private mutating func trial(_ node: Node, _ schema: ParameterSchema) -> SchemaCheck {
    var trial = SchemaCheck(site: site, steps: steps)
    trial.check(node, schema)
    steps = trial.steps
    return trial
  }

  private mutating func fits(_ node: Node, _ schema: ParameterSchema) -> Bool {
    trial(node, schema).diagnostics.isEmpty
  }

  private mutating func report(
    _ message: String, at place: SourcePlace, _ schema: ParameterSchema, label: String? = nil,
    help: [String] = []
  ) {
    guard steps.take(Self.textMax) else { return }
    let summary = schema.summary.map { ["the plugin says: \($0.prefix(Self.textMax))"] } ?? []
    diagnostics.append(
      Diagnostic(
        place: place, message: String(message.prefix(Self.textMax)),
        label: label.map { String($0.prefix(Self.textMax)) },
        help: help.map { String($0.prefix(4 * Self.textMax)) } + summary))
  }
}
