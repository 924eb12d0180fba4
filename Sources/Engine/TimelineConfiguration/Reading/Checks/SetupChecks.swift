import TimelineCore

/// Checks of a plugin host's setup that start no plugin host.
struct SetupChecks {
  let reading: FileReading
  let fields: Fields
  let setup: HostSetup
  let isolation: Isolation
  let user: String?

  func run() {
    if isolation == .inProcess { checkInProcess() }
    checkLeftovers()
    checkSandbox()
    if let item = fields["limits"], let memory = setup.memoryBytes,
      memory < ConfigurationLimits.comfortableMemory
    {
      reading.log.warning(
        "`limits.memory` is less than a plugin host needs before it loads its plugin", at: item.keyPlace,
        help: ["make it at least \"\(ByteSize.text(ConfigurationLimits.comfortableMemory))\""])
    }
  }

  /// Plugins that never start a child process.
  static let processlessPlugins = ["http", "log"]

  private func checkLeftovers() {
    guard let item = fields["leftovers"], let plugin = fields["plugin"], isolation == .host,
      case .string(let name) = plugin.value.content, Self.processlessPlugins.contains(name)
    else { return }
    reading.log.warning(
      "`leftovers` says nothing about the plugin \"\(name)\", which starts no processes", at: item.keyPlace,
      help: ["leave it out"])
  }

  /// Reports a sandbox of a job that can gain privileges. The kernel accepts a sandbox only from a process with
  /// no_new_privs, or from root with all capabilities, which a service does not have.
  private func checkSandbox() {
    guard !setup.noNewPrivileges, setup.sandbox.systemCalls != .off || setup.sandbox.writable != nil,
      let item = fields["sandbox"], let privileges = fields["no-new-privileges"]
    else { return }
    reading.log.error(
      "`sandbox` contradicts `no-new-privileges` false", at: item.keyPlace,
      label: "expected \"off\": only a run that gives up gaining privileges can have one",
      help: ["leave `no-new-privileges` out, or write sandbox = \"off\""],
      notes: [Diagnostic.Note(message: "`no-new-privileges` is here", place: privileges.keyPlace)])
  }

  /// Reports settings of a plugin host in a job whose plugin is called in the daemon.
  private func checkInProcess() {
    guard let isolation = fields["isolation"] else { return }
    reading.log.warning(
      "`isolation` \"in-process\": the daemon waits for every run of the plugin, and a crash of it ends the daemon",
      at: isolation.place,
      help: ["leave it out unless the plugin is C, trusted, and worth the last microsecond"])
    if let item = fields["timeout"] {
      reading.log.warning(
        "`timeout` stops nothing beside `isolation` \"in-process\": the plugin is told of it and may keep to it",
        at: item.keyPlace, help: ["leave one of the two out"])
    }
    let keys = [
      "user", "group", "limits", "run-limits", "no-new-privileges", "sandbox", "umask", "working-directory",
      "environment",
      "environment-file", "credentials", "leftovers",
    ]
    for key in keys { refuse(key, beside: isolation, because: "it would be done to the daemon itself") }
    refuse("sha256", beside: isolation, because: "the library is loaded once for all jobs, and never again")
    if let item = fields["overlap"], case .string(let text) = item.value.content,
      OverlapPolicy(rawValue: text)?.killsRuns == true
    {
      reading.log.error(
        "`overlap` \"\(text)\" contradicts `isolation` \"in-process\"", at: item.keyPlace,
        label: "expected nothing: its runs never overlap", help: ["leave `overlap` out"],
        notes: [Diagnostic.Note(message: "`isolation` is here", place: isolation.keyPlace)])
    }
  }

  private func refuse(_ key: String, beside isolation: Item, because reason: String) {
    guard let item = fields[key] else { return }
    reading.log.error(
      "`\(key)` contradicts `isolation` \"in-process\"", at: item.keyPlace,
      label: "expected nothing: \(reason)", help: ["leave one of the two out"],
      notes: [Diagnostic.Note(message: "`isolation` is here", place: isolation.keyPlace)])
  }
}
