import TimelineCore
import TimelineEngine

/// Reads one `[job.NAME]`, to its end whatever is wrong with it.
struct JobReader {
  let reading: FileReading
  /// The zone of a job that names none; `nil` when that name was wrong.
  let defaultZone: Zone?
  /// The reason why that zone cannot be read.
  var defaultLack: Lack?

  /// The result of reading a job.
  struct JobReading {
    /// The job, or `nil` after it has been reported why there is none.
    var job: Job?
    /// The place of the job.
    var site: JobSourceLocation
    /// The names that it mentions, right or wrong.
    var mentions = JobReferences()
    /// The missing file for which the job never falls due; the job itself is kept.
    var fault: Diagnostic?
  }

  /// Reads the job and reports all that is wrong with it.
  func read(_ entry: TOMLEntry) -> JobReading {
    let name = name(of: entry)
    guard case .table(let entries) = entry.value.content else {
      reading.log.error(
        "`job.\(entry.key)` is \(entry.value.kind)", at: entry.value.place,
        label: "expected a table",
        help: ["a job begins with a header of its own: [job.\(entry.key)]"])
      return JobReading(site: JobSourceLocation(of: entry))
    }
    let fields = Fields(entries, of: .job, in: reading)
    let zone = fields["time-zone"].map(reading.zone) ?? defaultZone
    let plugin = required("plugin", of: entry, in: fields, help: "for a command write `plugin = \"exec\"`")
      .flatMap(plugin)
    let scheduleReader = ScheduleReader(reading: reading, zone: zone)
    let schedule = required(
      "schedule", of: entry, in: fields, help: "such as `schedule = { periodic = { by = \"30s\" } }`"
    ).flatMap(scheduleReader.read)
    var policies = PolicyReader(reading: reading, fields: fields).read()
    let mentions = MentionReader(reading: reading, fields: fields).read(into: &policies)
    let setup = HostSetupReader(reading: reading, fields: fields).read()
    let isolation = fields["isolation"].flatMap { reading.choice($0, of: Isolation.self) } ?? .host
    let precision = fields["precision"].flatMap { reading.choice($0, of: Precision.self) } ?? .timer
    let parameters = fields["with"].flatMap(parameters) ?? "{}"
    let summary = fields["description"].flatMap(reading.line)
    let user = fields["user"].flatMap { reading.accountName($0, kind: "user") }
    let isEnabled = fields["enabled"].flatMap(reading.boolean) ?? true
    let placement = PlacementReader(reading: reading, fields: fields).read(schedule?.rule, policies)
    PolicyChecks(reading: reading, fields: fields, policies: policies, schedule: schedule?.rule).run()
    SetupChecks(reading: reading, fields: fields, setup: setup, isolation: isolation, user: user).run()
    PrecisionChecks(reading: reading, fields: fields, precision: precision, schedule: schedule).run()
    let site = JobSourceLocation(of: entry)
    let isHeld = schedule == nil
    let lack = lack(isScheduled: !isHeld, isZoneKnown: zone != nil)
    guard let name, let plugin, let schedule = schedule ?? onDemand(for: lack),
      let zone = zone ?? lack.map({ Zone(standingInFor: $0.zone ?? "UTC") })
    else {
      return JobReading(site: site, mentions: mentions)
    }
    let traits = SharedSettings.Values(
      isEnabled: isEnabled, plugin: plugin, user: user, setup: setup, isolation: isolation,
      precision: precision, timing: schedule.timing, zone: zone, policies: policies, placement: placement)
    let digest = placement.runOn == .one ? clusterDigest(of: entries, zone) : nil
    let job = reading.pool.job(
      name, schedule.rule, reading.pool.shared(traits),
      reading.pool.shared(parameters: parameters, summary: summary, clusterDigest: digest))
    return JobReading(job: job, site: site, mentions: mentions, fault: isHeld ? lack?.diagnostic : nil)
  }

  /// Returns a digest of the job as it is written, and of the zone that it may have from elsewhere.
  private func clusterDigest(of entries: TOMLTable, _ zone: Zone) -> UInt64 {
    var digest = StableDigest()
    digest.combine(CanonicalJSON(reading: reading).text(of: entries))
    digest.combine(zone.name)
    return digest.value
  }

  /// The thing that the job lacks; a warning alone where its schedule does not need it.
  private func lack(isScheduled: Bool, isZoneKnown: Bool) -> Lack? {
    guard let lack = reading.takeLacks().first ?? (isZoneKnown ? nil : defaultLack) else { return nil }
    if isScheduled {
      var warning = lack.diagnostic
      warning.severity = .warning
      // What is missing of the zone of all is said once for all.
      if lack.diagnostic != defaultLack?.diagnostic { reading.log.report(warning) }
    }
    return lack
  }

  /// The schedule of a job that lacks something.
  private func onDemand(for lack: Lack?) -> (rule: ScheduleRule, timing: ScheduleTiming)? {
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
