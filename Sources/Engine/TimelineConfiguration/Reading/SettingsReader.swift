import TimelineCore

/// Reads `[daemon]`, `[control]`, `[include]` and `[ledger]`. Reports errors and keeps the default.
struct SettingsReader {
  let reading: FileReading

  /// Fills `settings` from `[daemon]`. Returns whether the zone, set or default, is valid.
  func readDaemon(_ entries: TOMLTable, into settings: inout DaemonSettings) -> Bool {
    let fields = Fields(entries, of: .daemon, path: "daemon.", in: reading)
    var isZoneKnown = true
    if let item = fields["time-zone"] {
      let zone = reading.zone(item)
      isZoneKnown = zone != nil
      settings.zone = zone ?? settings.zone
    }
    if let item = fields["plugin-directories"] {
      settings.pluginDirectories = reading.strings(item, of: "absolute paths", reading.absolutePath)
    }
    settings.stateDirectory = fields["state-directory"].flatMap(reading.absolutePath)
    if let item = fields["log-level"], let level = reading.choice(item, of: DaemonLogLevel.self) {
      settings.logLevel = level
    }
    if let item = fields["plugin-hosts-max"],
      let count = reading.integer(item, in: 1...ConfigurationLimits.hostCountMax)
    {
      settings.hostCountMax = count
    }
    if let item = fields["drain-timeout"], let timeout = reading.elapsed(item, atLeast: .zero) {
      settings.drainTimeout = timeout
    }
    ModeReader(reading: reading).read(fields, into: &settings.mode)
    return isZoneKnown
  }

  /// Fills `settings` from `[control]`.
  func readControl(_ entries: TOMLTable, into settings: inout ControlSettings) {
    let fields = Fields(entries, of: .control, path: "control.", in: reading)
    if let item = fields["socket"], let path = reading.absolutePath(item) {
      if path.utf8.count > ConfigurationLimits.socketPathByteCountMax {
        reading.log.error(
          "`\(item.path)` is too long for a socket", at: item.place,
          label: "expected at most \(ConfigurationLimits.socketPathByteCountMax) bytes")
      }
      settings.socketPath = path
    }
    settings.group = fields["group"].flatMap(group)
    if let item = fields["users"] {
      settings.users =
        reading.strings(item, of: "users' names") { user($0, in: settings.group) } ?? []
    }
  }

  private func user(_ item: Item, in group: String?) -> String? {
    guard let name = reading.accountName(item, kind: "user") else { return nil }
    if let objection = reading.context.controlUserObjection?(name, group) {
      reading.log.error(
        objection.message, at: item.place, label: "expected a user who can connect", help: [objection.help])
    }
    return name
  }

  private func group(_ item: Item) -> String? {
    guard let name = reading.accountName(item, kind: "group") else { return nil }
    if reading.context.isGroupMissing?(name) == true {
      reading.log.error(
        "there is no group \"\(name)\"", at: item.place, label: "expected a group of this machine",
        help: ["create it with groupadd(8), or correct its name"])
    }
    return name
  }

  /// Fills `settings` from `[include]`.
  func readInclude(_ entries: TOMLTable, into settings: inout DaemonSettings) {
    let fields = Fields(entries, of: .include, path: "include.", in: reading)
    guard let item = fields["crontabs"] else { return }
    let paths = reading.strings(item, of: "absolute paths", reading.absolutePath) ?? []
    if paths.count > ConfigurationLimits.crontabPathCountMax {
      reading.log.error(
        "`\(item.path)` has \(paths.count) paths", at: item.place,
        label: "expected at most \(ConfigurationLimits.crontabPathCountMax)",
        help: ["name a directory for all crontabs in it"])
    }
    settings.crontabs = paths
  }

  /// Fills `settings` from `[ledger]`.
  func readLedger(_ entries: TOMLTable, into settings: inout LedgerSettings) {
    let fields = Fields(entries, of: .ledger, path: "ledger.", in: reading)
    if let item = fields["retention"],
      let age = reading.elapsed(item, atLeast: ConfigurationLimits.retentionMin)
    {
      settings.retention = age
    }
    if let item = fields["entries-per-job"],
      let count = reading.integer(item, in: 1...ConfigurationLimits.entriesPerJobMax)
    {
      settings.entriesPerJobMax = count
    }
    if let item = fields["damaged"], let choice = reading.choice(item, of: DamagedLedger.self) {
      settings.damaged = choice
    }
  }
}
