import TimelineConfiguration
package import TimelineCore

// Updates of a configuration in force when the zones of the machine change.
extension Loader {
  /// Reads the zones of the machine again; returns what has become of `loaded` where their rules, or which zone is the machine's,
  /// have changed.
  ///
  /// The text of the configuration is the one that was loaded, not what the files say by now: a zone that changes takes no edit
  /// into force that nobody asked for.
  ///
  /// A job that lacked its zone goes on when that is there.
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
    // What it says was right before; a zone that is gone by now stays as it was.
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

  /// The jobs whose zones are known from before and cannot be read any more.
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
