import TimelineCore

/// Reads a job's `sandbox`: a table, or only the policy for system calls.
struct SandboxReader {
  let reading: FileReading
  /// The policy for system calls if the job names none.
  let usual: SystemCallPolicy

  private static let expected =
    "a policy such as \"strict\", or a table with `system-calls`, `writable` and `unsupported`"

  /// Returns the sandbox. Reports and omits settings with errors.
  func read(_ item: Item?) -> Sandbox {
    var sandbox = Sandbox()
    sandbox.systemCalls = usual
    guard let item else { return sandbox }
    switch item.value.content {
    case .string:
      if let policy = reading.choice(item, of: SystemCallPolicy.self) { sandbox.systemCalls = policy }
    case .table(let entries):
      let fields = Fields(entries, of: .sandbox, path: item.path + ".", in: reading)
      if let policy = fields["system-calls"].flatMap({ reading.choice($0, of: SystemCallPolicy.self) }) {
        sandbox.systemCalls = policy
      }
      sandbox.writable = fields["writable"].flatMap(writable)
      if let policy = fields["unsupported"].flatMap({ reading.choice($0, of: UnsupportedPolicy.self) }) {
        sandbox.unsupported = policy
      }
    default: reading.wrongKind(item, expected: Self.expected)
    }
    return sandbox
  }

  private func writable(_ item: Item) -> [ExpectedPath]? {
    let what = "paths, with `-` in front of one that may be missing"
    let texts = reading.strings(item, of: what) { item in
      reading.string(item).flatMap { reading.isAbsolutePath(ExpectedPath($0).path, of: item) ? $0 : nil }
    }
    guard let texts else { return nil }
    let (count, countMax) = (texts.count, JobLimits.writablePathsMax)
    let (bytes, bytesMax) = (
      texts.reduce(0) { $0 + $1.utf8.count }, JobLimits.writablePathsByteCountMax
    )
    if count > countMax || bytes > bytesMax {
      reading.log.error(
        "`\(item.path)` has \(count) paths with \(bytes) bytes", at: item.keyPlace,
        label: "expected at most \(countMax) paths, and \(bytesMax) bytes",
        help: ["name a directory above several of them"])
    }
    return texts.map { ExpectedPath($0) }
  }
}
