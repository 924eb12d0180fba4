package import TimelineCore
package import TimelineEngine

/// A configuration that was read without an error: settings of the daemon, and its jobs.
package struct Configuration: Sendable {
  /// Settings of the daemon as a whole.
  package var daemon: DaemonSettings
  /// All jobs including disabled ones, in the order of the files and of the lines within them.
  package var jobs: [Job]
  /// The maximum number of simultaneous runs of each group, for all its jobs together.
  package var groups: [GroupName: Int] = [:]
  /// Expectations about the jobs' entries, in the order of the files.
  package var expectations: [PlacedExpectation] = []
  /// Warnings, in the order of the files.
  package var warnings: [Diagnostic]

  /// Missing requirements of jobs that are kept nevertheless: these jobs never fall due. In the order of the files.
  package var faults: [JobFault] = []

  /// Missing files of jobs that go on with the former contents. These jobs do not run after a restart.
  package var cautions: [JobFault] = []

  /// The sources that were read. They are kept so that they can be read again with a new edition of the zone database.
  package var sources: [ConfigurationSource] = []

  /// The contents of the files that the configuration names, such as lists of holidays, by path, at the time of the
  /// reading.
  package var files: [String: [UInt8]] = [:]

  /// The output of ``ConfigurationContext/calendar`` for those of ``files`` that are iCalendar, by path.
  package var calendars: [String: [UInt8]] = [:]

  /// The lines of the included crontabs.
  package var crontabs = IncludedCrontabs()

  /// The place of each of ``jobs`` in its file; empty after ``settle()``.
  var sites: [JobSourceLocation] = []

  /// Definitions for the engine: the enabled jobs in order. Jobs with the same kin share their common parts.
  package var definitions: [JobDefinition] {
    jobs.allSatisfy(\.isEnabled) ? jobs.map(\.definition) : jobs.filter(\.isEnabled).map(\.definition)
  }

  /// Replaces the jobs by those of another reading of the same files, with another edition of the zone database.
  package mutating func replaceJobs(by other: Configuration) {
    jobs = other.jobs
    daemon.zone = other.daemon.zone
    faults = other.faults
    cautions = other.cautions
  }

  /// Sets whether the jobs of crontabs are left to cron.
  package mutating func leaveJobsToCron(_ isLeft: Bool) {
    let names = crontabs.cronJobs
    guard !names.isEmpty else { return }
    for index in jobs.indices where names.contains(jobs[index].name) {
      jobs[index].definition.isLeftToCron = isLeft
    }
  }

  /// Sets the instant of every `@reboot`. The instant was unknown when the files were read.
  package mutating func resolve(startOfMachine instant: WallInstant) {
    for index in jobs.indices {
      if let rule = jobs[index].schedule.resolved(startOfMachine: instant) {
        jobs[index].definition.schedule = rule
      }
    }
  }

  /// Returns the job with that name, enabled or disabled.
  package func job(named name: JobName) -> Job? { index(of: name).map { jobs[$0] } }

  /// Returns the place of the job's name; after ``settle()``, the configuration as a whole.
  package func place(of name: JobName) -> SourcePlace {
    index(of: name).map(place(ofJobAt:)) ?? SourcePlace(wholeOf: sources.first?.path ?? "configuration")
  }

  /// Returns the place of the plugin's name in the job at `index` of ``jobs``, for the report that no plugin has that name.
  package func pluginPlace(ofJobAt index: Int) -> SourcePlace {
    sites.indices.contains(index) ? sites[index].pluginPlace : place(ofJobAt: index)
  }

  /// Returns the place of the value at the path `keys` in the table of the job at `index` of ``jobs``, for the report that
  /// the machine lacks the thing that the value names.
  package func place(ofJobAt index: Int, under keys: [String]) -> SourcePlace {
    sites.indices.contains(index) ? sites[index].place(under: keys) : place(ofJobAt: index)
  }

  /// Releases the parsed documents, which are only needed for checks and are many times as large as the files. To be called
  /// when the configuration has been checked and goes into force.
  package mutating func settle() { sites = [] }

  /// Sorts the diagnostics of several checks by the order of the files, then by line and column, then by their order in
  /// `diagnostics`.
  package func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    diagnostics.sorted(by: sources.map(\.path))
  }

  private func index(of name: JobName) -> Int? { jobs.firstIndex { $0.name == name } }

  private func place(ofJobAt index: Int) -> SourcePlace {
    sites.indices.contains(index)
      ? sites[index].place : SourcePlace(wholeOf: sources.first?.path ?? "configuration")
  }
}

/// All errors and warnings of a configuration that is refused; at least one error.
package struct ConfigurationRefusal: Error, Sendable {
  /// Errors and warnings, in the order of the files and of the lines within them.
  package var diagnostics: [Diagnostic]
  /// The part that could be read, without the warnings: enough to look for further errors, but not to run. `nil` if no part
  /// could be read.
  package var readable: Configuration?

  /// The number of errors.
  package var errorCount: Int { diagnostics.count { $0.severity == .error } }
}
