import TimelineCore

extension Configuration {
  /// Reads the main file, the first of `sources`, and the job files after it.
  ///
  /// Every file and every job is checked completely, in spite of errors in other files and jobs. A file that is not
  /// TOML has one error. Diagnostics are in the order of the files, then of lines and columns.
  package static func read(
    _ sources: [ConfigurationSource], in context: ConfigurationContext
  ) -> Result<Configuration, ConfigurationRefusal> {
    let byteCount = sources.reduce(0) { $0 + $1.bytes.count }
    guard byteCount <= ConfigurationLimits.totalByteCountMax else {
      let place = SourcePlace(wholeOf: sources.first?.path ?? "configuration")
      return .failure(
        ConfigurationRefusal(diagnostics: [
          Diagnostic(
            place: place, message: "the files have \(byteCount) bytes together",
            label: "expected at most \(ConfigurationLimits.totalByteCountMax)")
        ]))
    }
    var reader = ConfigurationReader(context: context)
    for (index, source) in sources.prefix(ConfigurationLimits.sourceCountMax).enumerated() {
      reader.open(source, at: index)
    }
    reader.readAll()
    reader.readCrontabs()
    reader.finish(sources)
    let diagnostics = reader.log.sorted(by: sources.map(\.path))
    var configuration = Configuration(
      daemon: reader.settings, jobs: reader.jobs, groups: reader.groups.limits,
      expectations: reader.expectations, warnings: diagnostics, sources: sources,
      files: reader.holidays.files, calendars: reader.holidays.calendars, sites: reader.sites)
    configuration.faults = reader.faults
    configuration.cautions = reader.cautions
    configuration.crontabs = reader.crontabs
    guard reader.log.hasErrors else { return .success(configuration) }
    configuration.warnings = []
    let names = Set(configuration.jobs.map(\.name))
    configuration.expectations.removeAll { placed in
      let expectation = placed.expectation
      return !names.contains(expectation.job) || expectation.neverOverlaps.map(names.contains) == false
    }
    return .failure(ConfigurationRefusal(diagnostics: diagnostics, readable: configuration))
  }
}

/// Reads the files in order, and collects their settings and jobs.
private struct ConfigurationReader: ~Copyable {
  let context: ConfigurationContext
  let log = DiagnosticLog()
  let zones: ZoneTable
  var settings: DaemonSettings
  var jobs: [Job] = []
  /// The place of each of ``jobs`` in its file.
  var sites: [JobSourceLocation] = []
  private let pool = JobPool()
  private(set) var holidays = HolidayTable()
  private(set) var groups = GroupTable()
  private(set) var expectations: [PlacedExpectation] = []
  private var mentions: [(job: String, mentions: JobReferences)] = []
  /// Jobs named by expectations.
  private var named: [JobReferences.Mention] = []
  /// Parsed files whose holiday lists have been read.
  private var files: [(fields: Fields, reading: FileReading, index: Int)] = []
  private var isZoneKnown = true
  /// The reason why the default zone cannot be read, and the remedy.
  private var zoneLack: MissingRequirement?
  /// The reason why the machine's zone cannot be read. The machine's zone is the default if the main file names no
  /// zone.
  private var machineLack: MissingRequirement?
  private(set) var faults: [JobFault] = []
  /// Warnings of jobs that use the former contents of an unreadable file.
  private(set) var cautions: [JobFault] = []
  /// Whether the main file's plugin directories have no error. True if the main file names none.
  private var arePluginDirectoriesKnown = true
  private var pluginNames: [String]?
  private var hasBrokenCluster = false
  /// Whether every file is TOML. Only then is a missing name certainly undefined.
  private var isWhole = true
  /// Entries of all jobs by name, including jobs with errors.
  private var places = EntryTable()
  private(set) var crontabs = IncludedCrontabs()

  init(context: ConfigurationContext) {
    self.context = context
    zones = ZoneTable(context.zone)
    settings = DaemonSettings(zone: context.machineZone)
    guard let problem = context.machineZoneProblem else { return }
    let message = "the machine's time zone \"\(context.machineZone.name)\" cannot be read: \(problem.reason)"
    let lack = MissingRequirement(
      diagnostic: Diagnostic(
        place: SourcePlace(wholeOf: "/etc/localtime"), message: message,
        help: ["install the package tzdata again, or name another zone by `time-zone` in [daemon]"]),
      zone: context.machineZone.name)
    if context.keepsJobsThatLackFiles { (zoneLack, isZoneKnown) = (lack, false) }
    machineLack = lack
  }

  /// Parses a file and reads its holiday lists, to which all files may refer.
  mutating func open(_ source: ConfigurationSource, at index: Int) {
    let text = SourceText(source)
    let root: TOMLValue
    do {
      root = try TOMLDocument.parse(text)
    } catch {
      // The main file's zone is unknown, so times without an offset are not checked.
      if index == 0 { isZoneKnown = false }
      isWhole = false
      return log.report(diagnostic(for: error, in: text))
    }
    guard case .table(let entries) = root.content else { return }
    let reading = FileReading(root.document, log: log, context: context, zones: zones, pool: pool)
    let fields = Fields(entries, of: .root, in: reading)
    files.append((fields, reading, index))
    guard let item = fields["holidays"] else { return }
    let help = ["a list of holidays begins with a header of its own, such as [holidays.public]"]
    if let entries = reading.table(item, expected: "a table of lists", help: help) {
      for entry in entries { holidays.read(entry, reading) }
    }
  }

  /// Reads everything except holiday lists, in the order of the files.
  mutating func readAll() {
    for (fields, reading, index) in files {
      reading.holidays = holidays
      read(fields, reading, isMain: index == 0)
    }
  }

  private mutating func read(_ fields: Fields, _ reading: FileReading, isMain: Bool) {
    readSettings(fields, isMain: isMain, reading)
    if isMain, arePluginDirectoriesKnown {
      pluginNames = context.pluginNames?(settings.pluginDirectories ?? [])
    }
    reading.pluginNames = pluginNames
    if let item = fields["group"] {
      let help = ["a group begins with a header of its own, such as [group.db]"]
      if let entries = reading.table(item, expected: "a table of groups", help: help) {
        for entry in entries { groups.read(entry, reading) }
      }
    }
    if let item = fields["expect-schedule"] {
      for outcome in ExpectationReader(reading: reading).read(item) {
        named += outcome.mentions
        if let expectation = outcome.expectation { expectations.append(expectation) }
      }
    }
    if let item = fields["defaults"] { readDefaults(item, hasJobs: fields["job"] != nil, reading) }
    guard let item = fields["job"] else { return }
    let help = ["a job begins with a header of its own, such as [job.backup]"]
    guard let entries = reading.table(item, expected: "a table of jobs", help: help) else { return }
    for entry in entries { readJob(entry, reading) }
  }

  private func diagnostic(for failure: TOMLDocument.Failure, in text: SourceText) -> Diagnostic {
    if failure.kind == .syntax, let position = text.firstInvalidPosition {
      return Diagnostic(
        place: text.place(position), message: "the file is not UTF-8", label: "expected a character",
        help: ["save the file as UTF-8"])
    }
    return TOMLSyntax(source: text).diagnostic(for: failure)
  }

  private mutating func readSettings(_ fields: Fields, isMain: Bool, _ reading: FileReading) {
    let reader = SettingsReader(reading: reading)
    for key in ["daemon", "control", "ledger", "cluster", "include"] {
      guard let item = fields[key] else { continue }
      guard isMain else {
        log.error(
          "`\(key)` is not in the main file", at: item.keyPlace, label: "expected [job.NAME]",
          help: ["settings stand in the main file, so that there is one place to look for them"])
        continue
      }
      let help = ["settings begin with the header [\(key)]"]
      guard let entries = reading.table(item, expected: "a table of settings", help: help) else { continue }
      switch key {
      case "daemon":
        let isKnown = reader.readDaemon(entries, into: &settings)
        if entries.contains(where: { $0.key == "time-zone" }) {
          isZoneKnown = isKnown
          (zoneLack, machineLack) = (reading.takeLacks().first, nil)
        }
        arePluginDirectoriesKnown =
          settings.pluginDirectories != nil || !entries.contains { $0.key == "plugin-directories" }
      case "ledger": reader.readLedger(entries, into: &settings.ledger)
      case "include": reader.readInclude(entries, into: &settings)
      case "cluster":
        settings.cluster = ClusterReader(reading: reading).read(entries, header: item)
        hasBrokenCluster = settings.cluster == nil
      default: reader.readControl(entries, into: &settings.control)
      }
    }
  }

  private func readDefaults(_ item: Item, hasJobs: Bool, _ reading: FileReading) {
    guard let defaults = FileDefaults(item.value) else {
      return reading.wrongKind(
        item, expected: "a table of keys of jobs", help: ["defaults begin with the header [defaults]"])
    }
    if !hasJobs {
      log.warning(
        "`defaults` holds for the jobs of its own file, which has none", at: item.keyPlace,
        help: ["write it into each file whose jobs it is for"])
    }
    JobReader(reading: reading, defaultZone: nil).check(defaults)
    reading.defaults = defaults
  }

  private mutating func readJob(_ entry: TOMLEntry, _ reading: FileReading) {
    let reader = JobReader(
      reading: reading, defaultZone: isZoneKnown ? settings.zone : nil, defaultLack: zoneLack)
    let outcome = reader.read(entry)
    let count = jobs.count
    take(outcome.job, outcome.site, named: outcome.job?.name.text ?? entry.key, outcome.mentions)
    guard let job = outcome.job, jobs.count > count else { return }
    if let lack = outcome.lack {
      faults.append(JobFault(job: job.name, diagnostic: lack.diagnostic, isOfOthers: lack.isOfOthers))
    }
    if let caution = outcome.caution, job.isEnabled {
      cautions.append(JobFault(job: job.name, diagnostic: caution))
    }
  }

  /// Reads the jobs of crontabs after all files, because jobs in files take precedence.
  mutating func readCrontabs() {
    guard !settings.crontabs.isEmpty else { return }
    crontabs = context.crontabs(settings.crontabs)
    crontabs.warnings.forEach(log.report)
    let reader = CrontabLineReader(
      context: context, zones: zones, pool: pool, holidays: holidays, pluginNames: pluginNames)
    for index in crontabs.lines.indices {
      guard let source = crontabs.lines[index].source else { continue }
      do throws(CrontabLineReader.Refusal) {
        let outcome = try reader.read(source)
        guard let job = outcome.job else { continue }
        if let first = places[job.name.text]?.place.description {
          throw CrontabLineReader.Refusal(reason: "there is a job `\(job.name)` already, at \(first)")
        }
        take(job, outcome.site, named: job.name.text, outcome.mentions)
        crontabs.lines[index].job = job.name
      } catch {
        crontabs.lines[index].refusal = error.reason
        log.warning(
          "the line is not carried: \(error.reason)", at: crontabs.lines[index].place,
          help: ["correct it, or write a job for it"])
      }
    }
  }

  private mutating func take(
    _ job: Job?, _ site: JobSourceLocation, named name: String, _ jobMentions: JobReferences = JobReferences()
  ) {
    if let first = places.insert(site, named: name) {
      return log.error(
        "there are two jobs `\(name)`", at: site.place, label: "expected another name",
        help: ["rename one, or leave it out"],
        notes: [Diagnostic.Note(message: "the first is here", place: first.place)])
    }
    if !jobMentions.isEmpty { mentions.append((name, jobMentions)) }
    guard let job else { return }
    jobs.append(job)
    sites.append(site)
  }

  /// Reports errors that concern several files.
  func finish(_ sources: [ConfigurationSource]) {
    let whole = SourcePlace(wholeOf: sources.first?.path ?? "configuration")
    for (count, limit, noun) in [
      (sources.count, ConfigurationLimits.sourceCountMax, "files"),
      (jobs.count, ConfigurationLimits.jobCountMax, "jobs"),
      (groups.places.count, ConfigurationLimits.groupCountMax, "groups"),
    ] where count > limit {
      log.error("there are \(count) \(noun)", at: whole, label: "expected at most \(limit)")
    }
    if isWhole {
      var checks = CrossChecks(
        log: log, settings: settings, mayHaveCluster: hasBrokenCluster || settings.cluster != nil,
        groups: groups, jobs: jobs, places: places, mentions: mentions,
        named: named)
      checks.run()
    }
    if !log.hasErrors { StampedeCheck(log: log, groups: groups.limits, now: context.now).run(jobs, sites) }
    if var warning = (zoneLack ?? machineLack)?.diagnostic {
      warning.severity = .warning
      log.report(warning)
    }
    if places.isEmpty, settings.crontabs.isEmpty, !log.hasErrors {
      log.warning("there is no job", at: whole, help: ["a job begins with a header such as [job.backup]"])
    }
  }
}
