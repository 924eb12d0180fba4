import TimelineCore

/// Reads the setup that a plugin host applies before it loads a job's plugin. Reports errors and keeps the default.
struct HostSetupReader {
  let reading: FileReading
  let fields: Fields

  func read() -> HostSetup {
    var setup = HostSetup()
    if let item = fields["limits"] { readLimits(item, into: &setup) }
    if let item = fields["run-limits"] { setup.runLimits = RunLimitsReader(reading: reading).read(item) }
    if let item = fields["no-new-privileges"], let isSet = reading.boolean(item) {
      setup.noNewPrivileges = isSet
    }
    setup.sandbox = SandboxReader(reading: reading, usual: setup.noNewPrivileges ? .default : .off)
      .read(fields["sandbox"])
    setup.fileModeMask = fields["umask"].flatMap(fileModeMask)
    setup.workingDirectory = fields["working-directory"].flatMap(reading.absolutePath)
    setup.leftovers = fields["leftovers"].flatMap { reading.choice($0, of: LeftoverPolicy.self) } ?? .kill
    setup.group = fields["group"].flatMap { reading.accountName($0, kind: "group") }
    setup.pluginDigest = fields["sha256"].flatMap(digest)
    if let item = fields["environment-file"] { setup.environmentFiles = environmentFiles(item) }
    setup.environment = environment(fields.layers("environment"))
    setup.credentials = credentials(fields.layers("credentials"))
    return setup
  }

  private func readLimits(_ item: Item, into setup: inout HostSetup) {
    let help = ["it looks like { memory = \"256M\", cpu-time = \"10s\" }"]
    guard let entries = reading.table(item, expected: "a table of limits", help: help) else { return }
    let limits = Fields(entries, of: .limits, path: "limits.", in: reading)
    setup.memoryBytes = limits["memory"].flatMap { reading.byteSize($0, in: ConfigurationLimits.memoryRange) }
    setup.processorTime = limits["cpu-time"].flatMap(wholeSeconds)
    setup.openFileCount = limits["open-files"].flatMap {
      reading.integer($0, in: ConfigurationLimits.openFileCountRange).map(UInt64.init)
    }
    setup.processCount = limits["processes"].flatMap {
      reading.integer($0, in: ConfigurationLimits.processCountRange).map(UInt64.init)
    }
    setup.niceness = limits["nice"].flatMap { reading.integer($0, in: -20...19) }
    setup.ioPriority = limits["io"].flatMap(ioPriority)
  }

  private func wholeSeconds(_ item: Item) -> ElapsedTime? {
    guard let time = reading.elapsed(item, atLeast: ConfigurationLimits.processorTimeMin) else { return nil }
    let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard rest == 0 else {
      reading.log.error(
        "`\(item.path)` is no whole number of seconds", at: item.place,
        label: "expected whole seconds, which the kernel counts",
        help: ["the next is \"\(ElapsedTime.seconds(seconds + 1))\""])
      return nil
    }
    return time
  }

  private func ioPriority(_ item: Item) -> HostSetup.IOPriority? {
    let expected = "`idle`, or `best-effort:0` (first) to `best-effort:7` (last)"
    if case .integer(let level) = item.value.content, (0...7).contains(level) {
      reading.wrongKind(item, expected: expected, help: ["did you mean \"best-effort:\(level)\"?"])
      return nil
    }
    guard let text = reading.string(item, expected: expected) else { return nil }
    if text == "idle" { return .idle }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2, parts[0] == "best-effort", parts[1].utf8.count == 1, let level = Int(parts[1]),
      (0...7).contains(level)
    {
      return .bestEffort(level: level)
    }
    var help: [String] = []
    switch Spelling.nearest(to: String(parts[0]), among: ["idle", "best-effort", "realtime"]) {
    case "idle": help = ["did you mean \"idle\"?"]
    case "best-effort": help = ["the level in the middle is \"best-effort:4\""]
    case "realtime":
      help = ["a run that is always first at a disk can stop the machine; use \"best-effort:0\""]
    default: break
    }
    reading.log.error(
      "`\(item.path)` cannot be \"\(text)\"", at: item.place, label: "expected \(expected)", help: help)
    return nil
  }

  private func fileModeMask(_ item: Item) -> UInt16? {
    let expected = "an octal mask in quotes such as \"0077\""
    guard case .string(let text) = item.value.content else {
      reading.wrongKind(item, expected: expected)
      return nil
    }
    let isOctal = (3...4).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x37).contains($0) }
    guard isOctal, let mask = UInt16(text, radix: 8), mask <= 0o777 else {
      reading.log.error(
        "`\(item.path)` is not a mask", at: item.place, label: "expected \(expected)",
        help: ["\"0022\" lets others read, \"0077\" nobody"])
      return nil
    }
    if mask & 0o700 != 0 {
      reading.log.warning(
        "`\(item.path)` takes permissions from the run itself: it says what new files lack, not what they have",
        at: item.place, help: ["did you mean \"\(Self.octal(~mask & 0o077))\"?"])
    }
    return mask
  }

  private static func octal(_ mask: UInt16) -> String {
    let digits = String(mask, radix: 8)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
