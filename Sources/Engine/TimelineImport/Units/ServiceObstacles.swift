/// Settings of a service that a job does not support, so that systemd has to start the service.
enum ServiceObstacles {
  /// Settings that a job supports, or that have no effect on a run.
  private static let knownKeys: [String: Set<String>] = [
    "Unit": [
      "Description", "Documentation", "OnFailure", "OnSuccess", "OnFailureJobMode", "SourcePath",
      "DefaultDependencies",
    ],
    "Service": [
      "Type", "ExecStart", "ExecStartPre", "ExecStartPost", "ExecCondition", "User", "Group",
      "WorkingDirectory",
      "Environment", "EnvironmentFile", "UMask", "Nice", "IOSchedulingClass", "IOSchedulingPriority",
      "LimitAS", "MemoryMax", "CPUQuota", "TasksMax",
      "LimitNOFILE", "TimeoutStartSec", "TimeoutSec", "TimeoutStopSec", "RuntimeMaxSec", "KillMode",
      "SuccessExitStatus", "NoNewPrivileges", "LoadCredential", "StandardOutput", "StandardError",
      "SyslogIdentifier",
    ],
  ]

  /// Units that are always active while timelined runs, so that an order after these units has no effect.
  private static let earlierUnits: Set<String> = [
    "basic.target", "sysinit.target", "local-fs.target", "network.target", "time-set.target", "timers.target",
    "paths.target", "sockets.target", "systemd-journald.socket", "dbus.socket", "tmp.mount",
  ]

  /// Returns the settings in the form for messages, without conditions.
  static func settings(in unit: UnitFile) -> [String] {
    var found = unit.settings.compactMap(obstacle)
    let type = unit.value("Service", "Type") ?? "simple"
    if !["oneshot", "simple", "exec"].contains(type) { found.append("Type=\(type)") }
    return found
  }

  private static func obstacle(_ setting: UnitFile.Setting) -> String? {
    let isKnown: Bool
    switch (setting.section, setting.key) {
    case ("Install", _): isKnown = true
    case ("Unit", "After"), ("Unit", "Wants"), ("Unit", "Requires"):
      isKnown = setting.value.split(separator: " ").map(String.init).allSatisfy(earlierUnits.contains)
    case ("Unit", let key) where key.hasPrefix("Condition"): isKnown = true
    case ("Service", "StandardOutput"), ("Service", "StandardError"):
      isKnown = ["journal", "inherit", ""].contains(setting.value)
    case (let section, let key): isKnown = knownKeys[section]?.contains(key) ?? false
    }
    return isKnown ? nil : "\(setting.key)="
  }
}
