import TimelineConfiguration
package import TimelineCore

// Updates of the configuration in force when the machine's zones change.
extension Loader {
  /// Reads the machine's zones again. Returns the effects on `loaded` if rules of zones or the machine's zone have
  /// changed; otherwise `nil`.
  ///
  /// Uses the text of the loaded configuration, not the present files. So a zone change does not put an edit into
  /// force that no operator requested.
  ///
  /// A job whose zone was missing continues when the zone exists.
  package func refreshZones(of loaded: LoadedConfiguration, now: WallInstant) -> ZoneChange? {
    let names = zones.refresh()
    var context = context(now: now)
    context.keepsJobsThatLackFiles = true
    context.file = { path in
      loaded.configuration.files[path].map { .success($0) }
        ?? .failure(FileRefusal(reason: "\(path): it could not be read; reload to try again"))
    }
    context.calendar = { path, _, _ in
      loaded.configuration.calendars[path].map { .success($0) }
        ?? .failure(FileRefusal(reason: "\(path) was no calendar before"))
    }
    context.crontabs = { _ in loaded.configuration.crontabs }
    // The text was valid before, and a zone that is missing now keeps its former rules.
    guard
      case .success(var configuration) = Configuration.read(
        loaded.configuration.sources, in: context)
    else { return nil }
    configuration.cautions = cautions(about: configuration)
    let moves = ZoneChange.moves(from: loaded.configuration, to: configuration, after: now)
    let isOtherZone = configuration.daemon.zone != loaded.configuration.daemon.zone
    guard
      isOtherZone || configuration.cautions != loaded.configuration.cautions
        || zip(configuration.jobs, loaded.configuration.jobs).contains(where: { $0.schedule != $1.schedule })
    else { return nil }
    var result = loaded
    result.replaceJobs(by: configuration)
    return ZoneChange(zones: names, isOtherZone: isOtherZone, moves: moves, at: now, loaded: result)
  }

  /// Returns cautions about the jobs whose zones can no longer be read and keep their former rules.
  func cautions(about configuration: Configuration) -> [JobFault] {
    var known: [String: FileRefusal?] = [:]
    return configuration.jobs.enumerated().compactMap { index, job -> JobFault? in
      guard job.isEnabled else { return nil }
      for name in job.zoneNames {
        let problem = known[name] ?? zones.problem(of: name)
        known[name] = .some(problem)
        guard let problem, zones.zone(named: name) != nil else { continue }
        return JobFault(
          job: job.name,
          diagnostic: Diagnostic(
            severity: .warning, place: configuration.place(ofJobAt: index, under: ["time-zone"]),
            message: "the time zone \"\(name)\" cannot be read: \(problem.reason)",
            help: [
              "the job goes on by the rules read before, and does not run after a restart: install the package tzdata again, or tzdata-legacy for old names"
            ]))
      }
      return nil
    }
  }
}
