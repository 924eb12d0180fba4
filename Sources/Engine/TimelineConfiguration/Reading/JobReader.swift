import TimelineCore
import TimelineEngine

/// Reads one `[job.NAME]` completely, in spite of errors.
struct JobReader {
  let reading: FileReading
  /// The zone if the job names none; `nil` if the name of the default zone has an error.
  let defaultZone: Zone?
  /// The reason why the default zone cannot be read.
  var defaultLack: MissingRequirement?

  /// The result of reading a job.
  struct JobReading {
    /// `nil` after the job's errors have been reported.
    var job: Job?
    var site: JobSourceLocation
    /// Names that the job refers to, valid or not.
    var mentions = JobReferences()
    /// The missing requirement that keeps the job from falling due, although the job is kept.
    var lack: MissingRequirement?
    /// The warning about an unreadable file whose former contents the job uses.
    var caution: Diagnostic?
  }

  /// Reads the job and reports all its errors.
  func read(_ entry: TOMLEntry) -> JobReading {
    let name = name(of: entry)
    guard case .table(let entries) = entry.value.content else {
      reading.log.error(
        "`job.\(entry.key)` is \(entry.value.kind)", at: entry.value.place,
        label: "expected a table",
        help: ["a job begins with a header of its own: [job.\(entry.key)]"])
      return JobReading(site: JobSourceLocation(of: entry))
    }
    let inherited = reading.defaults?.entries(for: entry) ?? []
    let fields = Fields(entries, of: .job, over: inherited, in: reading)
    if let defaults = reading.defaults { reading.log.begin(entry, defaults) }
    defer { reading.log.heir = nil }
    let zone = fields["time-zone"].map(reading.zone) ?? defaultZone
    _ = required("plugin", of: entry, in: fields, help: "for a command write `plugin = \"exec\"`")
    let scheduleReader = ScheduleReader(reading: reading, zone: zone)
    reading.caution = nil
    let schedule = required(
      "schedule", of: entry, in: fields, help: "such as `schedule = { periodic = { by = \"30s\" } }`"
    ).flatMap(scheduleReader.read)
    let shared = sharedKeys(fields)
    let policies = shared.policies
    let parameters = fields["with"].flatMap(parameters) ?? "{}"
    let summary = fields["description"].flatMap(reading.line)
    let isEnabled = fields["enabled"].flatMap(reading.boolean) ?? true
    let placement = PlacementReader(reading: reading, fields: fields).read(schedule?.rule, policies)
    PolicyChecks(reading: reading, fields: fields, policies: policies, schedule: schedule?.rule).run()
    SetupChecks(
      reading: reading, fields: fields, setup: shared.setup, isolation: shared.isolation, user: shared.user
    ).run()
    PrecisionChecks(reading: reading, fields: fields, precision: shared.precision, schedule: schedule).run()
    let site = JobSourceLocation(of: entry, over: inherited)
    let isHeld = schedule == nil
    let lack = lack(isScheduled: !isHeld, isZoneKnown: zone != nil)
    guard let name, let plugin = shared.plugin, let schedule = schedule ?? onDemand(for: lack),
      let zone = zone ?? lack.map({ Zone(standingInFor: $0.zone ?? "UTC") })
    else {
      return JobReading(site: site, mentions: shared.mentions)
    }
    let traits = SharedSettings.Values(
      isEnabled: isEnabled, plugin: plugin, user: shared.user, setup: shared.setup,
      isolation: shared.isolation, precision: shared.precision, timing: schedule.timing, zone: zone,
      policies: policies, placement: placement)
    let digest = placement.runOn == .one ? clusterDigest(of: entries, over: inherited, zone) : nil
    let job = reading.pool.job(
      name, schedule.rule, reading.pool.shared(traits),
      reading.pool.shared(parameters: parameters, summary: summary, clusterDigest: digest))
    return JobReading(
      job: job, site: site, mentions: shared.mentions, lack: isHeld ? lack : nil,
      caution: reading.caution)
  }

  /// Reports errors in the defaults of a file, even in a value that no job inherits.
  func check(_ defaults: FileDefaults) {
    let fields = Fields(defaults.table, of: .defaults, in: reading)
    _ = fields["time-zone"].map(reading.zone)
    _ = sharedKeys(fields)
    // Missing requirements are discarded here, because a job that inherits the value reports them.
    _ = reading.takeLacks()
  }

  /// Values of the keys that a job may inherit from its file's defaults.
  private struct SharedKeys {
    var plugin: PluginReference?
    var policies: JobPolicies
    var mentions: JobReferences
    var setup: HostSetup
    var isolation: Isolation
    var precision: Precision
    var user: String?
  }

  private func sharedKeys(_ fields: Fields) -> SharedKeys {
    var policies = PolicyReader(reading: reading, fields: fields).read()
    let mentions = MentionReader(reading: reading, fields: fields).read(into: &policies)
    return SharedKeys(
      plugin: fields["plugin"].flatMap(plugin), policies: policies, mentions: mentions,
      setup: HostSetupReader(reading: reading, fields: fields).read(),
      isolation: fields["isolation"].flatMap { reading.choice($0, of: Isolation.self) } ?? .host,
      precision: fields["precision"].flatMap { reading.choice($0, of: Precision.self) } ?? .timer,
      user: fields["user"].flatMap { reading.accountName($0, kind: "user") })
  }

  /// Returns a digest of the job as written, of its inherited defaults, and of its zone, which may be set elsewhere.
  private func clusterDigest(of entries: TOMLTable, over inherited: [TOMLEntry], _ zone: Zone) -> UInt64 {
    var hash = StableHash()
    let json = CanonicalJSON(reading: reading)
    hash.combine(field: json.text(of: entries))
    for (key, value) in inherited.map({ ($0.key, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
      hash.combine(field: key)
      hash.combine(field: json.text(of: value))
    }
    hash.combine(field: zone.name)
    return hash.digest
  }

  /// Returns the job's missing requirement; `nil` if nothing is missing. If the schedule could be read in spite of it
  /// (`isScheduled`), also reports the requirement as a warning.
  private func lack(isScheduled: Bool, isZoneKnown: Bool) -> MissingRequirement? {
    guard let lack = reading.takeLacks().first ?? (isZoneKnown ? nil : defaultLack) else { return nil }
    if isScheduled {
      var warning = lack.diagnostic
      warning.severity = .warning
      // A missing default zone is reported once.
      if lack.diagnostic != defaultLack?.diagnostic { reading.log.report(warning) }
    }
    return lack
  }

  /// Returns a schedule without entries for a job with a missing requirement; `nil` for any other job.
  private func onDemand(for lack: MissingRequirement?) -> (rule: ScheduleRule, timing: ScheduleTiming)? {
    lack == nil ? nil : ScheduleReader.onDemand.map { ($0, ScheduleTiming()) }
  }

  private func name(of entry: TOMLEntry) -> JobName? {
    if let name = JobName(entry.key) { return name }
    reading.log.error(
      "\"\(entry.key)\" cannot name a job", at: entry.place,
      label: "expected 1 to \(JobName.lengthMax) letters, digits, `-`, `_` or `.`, a letter or digit first",
      help: Self.nearestName(to: entry.key).map { ["did you mean `\($0)`?"] } ?? [])
    return nil
  }

  private static func nearestName(to text: String) -> String? {
    let kept = text.unicodeScalars.map { scalar in
      JobName("a\(scalar)") == nil ? "-" : String(scalar)
    }.joined()
    return JobName(String(kept.drop { "-_.".contains($0) }.prefix(JobName.lengthMax)))?.text
  }

  private func required(_ key: String, of entry: TOMLEntry, in fields: Fields, help: String) -> Item? {
    if let item = fields[key] { return item }
    reading.log.error(
      "the job `\(entry.key)` has no `\(key)`", at: entry.place,
      label: "expected `\(key)` in it", help: [help])
    return nil
  }

  private func parameters(_ item: Item) -> String? {
    let entries = reading.table(
      item, expected: "a table of the plugin's parameters",
      help: ["such as with = { command = [\"/usr/bin/true\"] }"])
    guard let text = entries.map({ CanonicalJSON(reading: reading).text(of: $0) }) else { return nil }
    if text.utf8.count > JobLimits.parametersMax {
      reading.log.error(
        "`\(item.path)` has \(text.utf8.count) bytes as JSON", at: item.keyPlace,
        label: "expected at most \(JobLimits.parametersMax)",
        help: ["put what is long into a file, and let the parameters name it"])
    }
    return text
  }

  private func plugin(_ item: Item) -> PluginReference? {
    guard let text = reading.string(item, expected: "a plugin's name or its path") else { return nil }
    if text.hasPrefix("/") { return reading.absolutePath(item).map(PluginReference.path) }
    guard !text.contains("/"), JobName(text) != nil else {
      reading.log.error(
        "\"\(text)\" is neither a plugin's name nor an absolute path", at: item.place,
        label: "expected a name such as \"exec\", or a path that begins with `/`")
      return nil
    }
    if text.hasSuffix(".so") {
      reading.log.error(
        "\"\(text)\" is a file's name", at: item.place, label: "expected a plugin's name or an absolute path",
        help: ["did you mean \"\(text.dropLast(3))\"?"])
      return nil
    }
    guard let names = reading.pluginNames, !names.contains(text) else { return .name(text) }
    let near = Spelling.nearest(to: text, among: names)
    reading.log.error(
      "there is no plugin \"\(text)\"", at: item.place, label: "expected the name of an installed plugin",
      help: [
        near.map { "did you mean \"\($0)\"?" } ?? "the installed plugins are \(names.joined(separator: ", "))"
      ])
    return nil
  }
}
