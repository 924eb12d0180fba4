import TimelineConfiguration

/// A unit's conditions as shell tests.
struct UnitConditions: Equatable {
  /// All tests must succeed.
  private(set) var tests: [[String]] = []
  /// Conditions that cannot be expressed as a test.
  private(set) var unknown: [String] = []

  /// Reads the conditions of a unit.
  init(_ unit: UnitFile) {
    let keys = unit.settings.filter { $0.section == "Unit" && $0.key.hasPrefix("Condition") }.map(\.key)
    var seen: Set<String> = []
    for key in keys where seen.insert(key).inserted {
      for value in unit.list("Unit", key) { add(key, value) }
    }
  }

  private mutating func add(_ key: String, _ value: String) {
    let isNegated = value.hasPrefix("!")
    let argument = String(isNegated ? value.dropFirst() : value[...]).trimmed
    // A `|` means that one of several conditions is sufficient.
    guard !argument.hasPrefix("|"), !argument.isEmpty, let test = Self.test(key, argument) else {
      unknown.append("\(key)=")
      return
    }
    tests.append(isNegated ? ["!"] + test : test)
  }

  private static func test(_ key: String, _ argument: String) -> [String]? {
    let letters = [
      "ConditionPathExists": "-e", "ConditionPathIsDirectory": "-d", "ConditionPathIsSymbolicLink": "-L",
      "ConditionPathIsReadWrite": "-w", "ConditionFileIsExecutable": "-x", "ConditionFileNotEmpty": "-s",
    ]
    if let letter = letters[key] { return ["test", letter, argument] }
    switch (key, argument) {
    case ("ConditionACPower", "true"), ("ConditionACPower", "yes"): return ["systemd-ac-power"]
    case ("ConditionACPower", "false"), ("ConditionACPower", "no"): return ["!", "systemd-ac-power"]
    case ("ConditionVirtualization", "container"): return ["systemd-detect-virt", "--quiet", "--container"]
    case ("ConditionVirtualization", "vm"): return ["systemd-detect-virt", "--quiet", "--vm"]
    case ("ConditionVirtualization", "yes"), ("ConditionVirtualization", "true"):
      return ["systemd-detect-virt", "--quiet"]
    case ("ConditionVirtualization", "no"), ("ConditionVirtualization", "false"):
      return ["!", "systemd-detect-virt", "--quiet"]
    default: return nil
    }
  }

  /// Adds the tests of `other`.
  mutating func add(_ other: UnitConditions) {
    tests += other.tests.filter { !tests.contains($0) }
    unknown += other.unknown
  }

  /// Adds a test that succeeds if the command succeeds.
  mutating func add(command: UnitCommand) { tests.append(["/bin/sh", "-c", command.shellText]) }

  /// The parameter `condition`; `nil` without tests.
  var parameter: String? {
    guard let first = tests.first else { return nil }
    if tests.count == 1, first[0] != "!" { return TOMLText.array(first) }
    if tests.count == 1, first[1] == "test" { return TOMLText.array(["test", "!"] + first.dropFirst(2)) }
    let text = tests.map(Self.shellText).joined(separator: " && ")
    return TOMLText.array(["/bin/sh", "-c", text])
  }

  private static func shellText(_ words: [String]) -> String {
    // Two negations cancel each other.
    let isNegated = words.prefix { $0 == "!" }.count % 2 == 1
    let test = words.drop { $0 == "!" }.map(UnitWords.quoted).joined(separator: " ")
    return isNegated ? "! \(test)" : test
  }
}
