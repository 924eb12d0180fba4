package import TimelineCore

/// A missing requirement of a job, for example the file of its time zone or its plugin.
package struct JobFault: Sendable, Equatable {
  package var job: JobName
  /// The missing requirement, the reason and the remedy, at the place in the configuration that names the
  /// requirement.
  package var diagnostic: Diagnostic
  /// Whether the cause may be another user than the daemon's. The fault then affects only this job, and a reload is
  /// not refused.
  package var isOfOthers: Bool

  package init(job: JobName, diagnostic: Diagnostic, isOfOthers: Bool = false) {
    self.job = job
    self.diagnostic = diagnostic
    self.isOfOthers = isOfOthers
  }
}

/// A missing requirement of the job that is being read.
struct MissingRequirement {
  /// The missing requirement, the reason and the remedy.
  var diagnostic: Diagnostic
  /// The name of the missing zone; `nil` if no zone is missing.
  var zone: String?
  /// Whether the cause may be another user, as for ``JobFault/isOfOthers``.
  var isOfOthers = false
}

extension FileReading {
  /// Warns of a legacy name of the zone database that is probably not the intended zone.
  func warnOfZone(_ name: String, at place: SourcePlace) {
    guard let problem = ZoneAliases.problem(of: name) else { return }
    log.warning("the time zone \(problem.reason)", at: place, help: [problem.help])
  }

  /// Reports that a zone is missing or cannot be read.
  ///
  /// - Parameters:
  ///   - name: The name of the zone.
  ///   - place: The place that names the zone.
  func lackZone(_ name: String, at place: SourcePlace) {
    let names = context.zoneNames()
    let problem = context.zoneProblem(name)
    let isKnown = names.contains(name)
    let hints = isKnown ? [] : Spelling.zoneHelp(for: name, among: names)
    let isReal = isKnown || problem.map { !$0.isMissing } ?? false
    let reason = problem.map { ": \($0.reason)" } ?? ""
    let isOld = hints.isEmpty && !isReal && problem?.isMissing == true && name.contains("/")
    lack(
      MissingRequirement(
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

  /// Reports a missing requirement as an error. With ``ConfigurationContext/keepsJobsThatLackFiles``, records the
  /// requirement for the job that is being read instead.
  func lack(_ lack: MissingRequirement) {
    guard context.keepsJobsThatLackFiles else { return log.report(lack.diagnostic) }
    lacks.append(lack)
  }

  /// Returns the missing requirements of the job that is being read, and clears them.
  func takeLacks() -> [MissingRequirement] {
    defer { lacks = [] }
    return lacks
  }
}
