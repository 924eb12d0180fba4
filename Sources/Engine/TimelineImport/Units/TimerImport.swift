import TimelineConfiguration

/// Converts systemd timers and their services to a configuration.
package struct TimerImport {
  package private(set) var file: ImportedFile
  package private(set) var report = ImportReport()
  /// The rules of each job, for a proof.
  package private(set) var rules: [ImportedRule] = []

  private let context: ImportContext
  private var names = JobNames()

  /// Imports timers in the order of the sources.
  package init(_ sources: [TimerSource], in context: ImportContext) {
    self.context = context
    file = ImportedFile(
      heading: [
        ImportedFile.origin(sources.map(\.timer.name), noun: "timers", command: "timers"),
        "A timer without Persistent= starts once, at wake-up, for what fell due while the machine slept; these jobs do not.",
      ])
    for source in sources { add(source) }
  }

  private mutating func add(_ source: TimerSource) {
    let (timer, unknown) = source.timer.resolvingSpecifiers(in: context)
    let path = timer.settings.first?.path ?? timer.name
    var account = ImportedLine(source: path, line: 0, text: timer.name, kind: .job)
    let schedule = TimerSchedule(timer, in: context)
    defer {
      report.lines.append(account)
      let isCarried = account.verdict != .notCarried
      reportLines(of: timer, schedule, isCarried: isCarried)
      if let service = source.service { reportLines(of: service, nil, isCarried: isCarried) }
    }
    if timer.name.contains("@.") {
      return account.refuse(
        "it is a template: name an instance, for example \(timer.name.replacing("@.", with: "@main."))")
    }
    if let origin = source.origin { return account.refuse(origin) }
    guard let text = schedule.text else {
      return account.refuse(
        timer.settings.isEmpty
          ? "it has no settings: correct the name" : "no time of it can be carried: keep the timer")
    }
    var job = ImportedJob(
      name: names.name([String(timer.name.dropLast(timer.name.hasSuffix(".timer") ? 6 : 0))]))
    job.comments = comments(of: source, path)
    job.values["schedule"] = text
    job.set("missed", timer.isTrue("Timer", "Persistent") && !schedule.calendars.isEmpty ? "latest" : "skip")
    // systemd: a time that is reached while the service runs starts the service again at the service's end.
    if !schedule.calendars.isEmpty, !timer.isTrue("Timer", "DeferReactivation") {
      job.set("overlap", "buffer-one")
    }
    if let text = description(of: source) { job.set("description", text) }
    let reactions = perform(source, timer, unknown, &job, &account)
    account.job = job.name
    file.jobs += [job] + reactions
    rules.append(
      ImportedRule(
        job: job.name, place: path,
        kind: schedule.isMonotonic
          ? .unproven("its times count from the start of the machine or of the service")
          : .calendar(schedule.calendars)))
  }

  /// Makes the job do the service's work. Returns the jobs that react to it.
  private mutating func perform(
    _ source: TimerSource, _ timer: UnitFile, _ unknown: Set<String>, _ job: inout ImportedJob,
    _ account: inout ImportedLine
  ) -> [ImportedJob] {
    let name = TimerSource.startedUnit(of: source.timer, in: context)
    let service = source.service?.resolvingSpecifiers(in: context)
    let conditions = UnitConditions(timer)
    if !unknown.isEmpty {
      account.differ(
        "the specifiers \(unknown.sorted().joined(separator: ", ")) stand as they are: replace them")
    }
    var made = ServiceJob(name: name, unit: service?.unit, timer: conditions, context: context)
    if let unresolved = service?.unresolved, !unresolved.isEmpty, made.obstacles.isEmpty {
      // Only systemd can resolve these specifiers.
      made = ServiceJob(name: name, unit: nil, timer: conditions, context: context)
      account.notes.append(
        "the job runs `systemctl start`, because of the specifiers \(unresolved.sorted().joined(separator: ", "))"
      )
    } else if !made.obstacles.isEmpty {
      account.notes.append(
        "the job runs `systemctl start`, because of \(made.obstacles.joined(separator: ", "))")
    }
    var whole = job
    whole.values.merge(made.values) { _, new in new }
    whole.environment = made.environment
    if let fault = whole.fault(in: context) {
      made = ServiceJob(name: name, unit: nil, timer: conditions, context: context)
      account.notes.append("the job runs `systemctl start`, because \(fault)")
    }
    job.values.merge(made.values) { _, new in new }
    job.environment = made.environment
    return [("on-failure", made.onFailure), ("on-success", made.onSuccess)].compactMap { key, units in
      guard !units.isEmpty else { return nil }
      var reaction = ImportedJob(name: names.name([job.name, key]))
      reaction.isReaction = true
      reaction.set("schedule", "on-demand")
      reaction.values["with"] = TOMLText.table([
        ("command", TOMLText.array(["systemctl", "start", "--no-block", "--"] + units))
      ])
      job.set(key, reaction.name)
      return reaction
    }
  }

  private func description(of source: TimerSource) -> String? {
    // The service's description names the work. The timer's description usually states only the frequency.
    guard let text = source.service?.value("Unit", "Description") ?? source.timer.value("Unit", "Description")
    else { return nil }
    let isOneLine = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    return isOneLine && text.utf8.count <= ConfigurationLimits.summaryByteCountMax && !text.contains("%")
      ? text : nil
  }

  private func comments(of source: TimerSource, _ path: String) -> [String] {
    let own = Self.remarks(in: source.timer)
    // Both files often begin with the same license.
    let others = source.service.map(Self.remarks(in:)) ?? []
    let texts = own + others.filter { !own.contains($0) }
    let paths = [path] + (source.service?.settings.first.map { [$0.path] } ?? [])
    return texts + [paths.joined(separator: ", ")]
  }

  /// Returns the comments of a unit without their marks.
  private static func remarks(in unit: UnitFile) -> [String] {
    unit.others.filter { $0.kind == .comment }.map { line in
      String(line.text.drop { "#; ".contains($0) })
    }.filter { !$0.isEmpty && !$0.hasPrefix("SPDX-") }
  }

  private mutating func reportLines(of unit: UnitFile, _ schedule: TimerSchedule?, isCarried: Bool) {
    var lines = unit.others
    for setting in unit.settings {
      var line = ImportedLine(source: setting.path, line: setting.line, text: setting.text, kind: .setting)
      if setting.section == "Timer", let schedule {
        for (noted, note) in schedule.differences where noted == setting { line.differ(note) }
        for (noted, note) in schedule.refusals where noted == setting { line.refuse(note) }
        for (noted, note) in schedule.remarks where noted == setting { line.notes.append(note) }
        if !TimerSchedule.knownKeys.contains(setting.key) { line.differ("\(setting.key)= is ignored") }
      } else if setting.section == "Unit", schedule != nil {
        if let note = Self.difference(of: setting, in: unit) { line.differ(note) }
      }
      if let remark = unit.remark(onIgnored: setting) { line.notes.append(remark) }
      lines.append(line)
    }
    // A timer without a job has no line in the configuration.
    if !isCarried { for index in lines.indices { lines[index].verdict = .notCarried } }
    report.lines += lines.sorted { ($0.source, $0.line) < ($1.source, $1.line) }
  }

  /// Returns the difference of a job from a setting in a timer's `[Unit]`. systemd evaluates the setting when the
  /// timer starts, not for each entry.
  private static func difference(of setting: UnitFile.Setting, in timer: UnitFile) -> String? {
    let key = setting.key
    if ["Description", "Documentation", "DefaultDependencies", "SourcePath"].contains(key) { return nil }
    let isTested = key.hasPrefix("Condition") && !UnitConditions(timer).unknown.contains(key + "=")
    return isTested
      ? "tested before each run, and not when the timer starts"
      : "\(key)= of a timer is ignored"
  }
}
