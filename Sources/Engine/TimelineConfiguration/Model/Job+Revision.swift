import TimelineCore

extension SharedSettings {
  /// Returns a digest of everything that a run with these parameters depends on: plugin, parameters, user,
  /// surroundings. Schedule and policies are not included.
  ///
  /// The same files have the same digest on every machine and in every version. The summary is not included, so a new
  /// summary restarts nothing. Settings with their default value are not included, so a version with more settings
  /// restarts nothing.
  func revision(with text: JobParameters) -> UInt64 {
    var hash = StableHash()
    hash.combine(field: values.plugin.text)
    hash.combine(field: text.parameters)
    hash.combine(field: values.user ?? "")
    for (key, value) in surroundings {
      hash.combine(field: key)
      hash.combine(field: value)
    }
    return hash.digest
  }
}

extension SharedSettings {
  /// Returns the settings of setup and isolation that differ from their defaults. Keys and order do not depend on the
  /// configuration file.
  static func surroundings(of values: Values) -> [(key: String, value: String)] {
    let (setup, isolation) = (values.setup, values.isolation)
    var parts: [(String, String?)] = [
      ("memory", setup.memoryBytes.map(String.init)),
      ("cpu-time", setup.processorTime.map { String($0.nanoseconds) }),
      ("open-files", setup.openFileCount.map(String.init)),
      ("processes", setup.processCount.map(String.init)),
      ("nice", setup.niceness.map(String.init)),
      ("io", setup.ioPriority.map(Self.text)),
      ("no-new-privileges", setup.noNewPrivileges ? nil : "false"),
      ("umask", setup.fileModeMask.map(String.init)),
      ("working-directory", setup.workingDirectory),
      ("group", setup.group),
      ("sha256", setup.pluginDigest?.text),
      ("leftovers", setup.leftovers == .kill ? nil : setup.leftovers.rawValue),
      ("isolation", isolation == .host ? nil : isolation.rawValue),
    ]
    parts += Self.parts(of: setup.runLimits)
    parts += Self.parts(of: setup.sandbox, usual: setup.noNewPrivileges ? .default : .off)
    parts += setup.environmentFiles.map { ("environment-file", $0.text) }
    parts += setup.environment.sorted { $0.key < $1.key }.map { ("environment." + $0.key, $0.value) }
    parts += setup.credentials.sorted { $0.key < $1.key }.map { ("credentials." + $0.key, $0.value) }
    return parts.compactMap { part in part.1.map { (key: part.0, value: $0) } }
  }

  private static func parts(of limits: RunLimits) -> [(String, String?)] {
    [
      ("run-limits.memory", limits.memoryBytes.map(String.init)),
      ("run-limits.cpu", limits.processorPercent.map(String.init)),
      ("run-limits.tasks", limits.taskCount.map(String.init)),
      ("run-limits.unsupported", limits.unsupported == .run ? nil : limits.unsupported.rawValue),
    ]
  }

  private static func parts(of sandbox: Sandbox, usual: SystemCallPolicy) -> [(String, String?)] {
    var parts: [(String, String?)] = [
      ("sandbox.system-calls", sandbox.systemCalls == usual ? nil : sandbox.systemCalls.rawValue),
      // An empty list of paths differs from no list.
      ("sandbox.writable", sandbox.writable.map { String($0.count) }),
      ("sandbox.unsupported", sandbox.unsupported == .refuse ? nil : sandbox.unsupported.rawValue),
    ]
    parts += (sandbox.writable ?? []).map { ("sandbox.writable", $0.text) }
    return parts
  }

  private static func text(of priority: HostSetup.IOPriority) -> String {
    switch priority {
    case .idle: "idle"
    case .bestEffort(let level): "best-effort:\(level)"
    }
  }
}
