package import TimelineCore

/// Something that a job needs and that cannot be had, for example the file of its time zone or its plugin.
package struct JobFault: Sendable, Hashable {
  /// The job.
  package var job: JobName
  /// Missing thing, reason and remedy, at the place of the configuration that names it.
  package var diagnostic: Diagnostic
  /// Whether another user than the daemon's may be the cause, so that it costs the job alone, at a reload too.
  package var isOfOthers: Bool

  /// Makes a fault.
  package init(job: JobName, diagnostic: Diagnostic, isOfOthers: Bool = false) {
    self.job = job
    self.diagnostic = diagnostic
    self.isOfOthers = isOfOthers
  }
}

/// Something of the machine that the job at hand names and that cannot be had.
struct Lack {
  /// The thing that is missing.
  var diagnostic: Diagnostic
  /// The name of the zone, where one is missing.
  var zone: String?
  /// Whether another user may be the cause, as of ``JobFault/isOfOthers``.
  var isOfOthers = false
}

extension FileReading {
  /// Warns of a legacy name of the zone database that is hardly the zone that is meant.
  func warnOfZone(_ name: String, at place: SourcePlace) {
    guard let problem = ZoneAliases.problem(of: name) else { return }
    log.warning("the time zone \(problem.reason)", at: place, help: [problem.help])
  }

  /// Says that a zone cannot be had.
  ///
  /// - Parameters:
  ///   - name: The zone.
  ///   - place: The place that names it.
  func lackZone(_ name: String, at place: SourcePlace) {
    let names = context.zoneNames()
    let problem = context.zoneProblem(name)
    let isKnown = names.contains(name)
    let hints = isKnown ? [] : Spelling.zoneHelp(for: name, among: names)
    let isReal = isKnown || problem.map { !$0.isMissing } ?? false
    let reason = problem.map { ": \($0.reason)" } ?? ""
    let isOld = hints.isEmpty && !isReal && problem?.isMissing == true && name.contains("/")
    lack(
      Lack(
        diagnostic: Diagnostic(
          place: place,
          message: isReal
            ? "the time zone \"\(name)\" cannot be read\(reason)"
            : "there is no time zone \"\(name)\"\(reason)",
          label: isReal
            ? "expected a zone whose file is there"
            : "expected a name of the zone database such as \"Europe/Berlin\" or \"UTC\"",
          help: hints
            + (isReal ? ["install the package tzdata again"] : [])
            + (isOld ? ["old names such as US/Eastern are in the package tzdata-legacy"] : [])),
        zone: name))
  }

  /// Refuses the configuration for something that the machine lacks, or keeps it for the job at hand, where such jobs are kept.
  func lack(_ lack: Lack) {
    guard context.keepsJobsThatLackFiles else { return log.report(lack.diagnostic) }
    lacks.append(lack)
  }

  /// Hands out what the job at hand lacks.
  func takeLacks() -> [Lack] {
    defer { lacks = [] }
    return lacks
  }
}
