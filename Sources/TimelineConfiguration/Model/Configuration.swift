package import TimelineCore
package import TimelineEngine

/// A configuration that was read without an error: what the daemon is told, and its jobs.
package struct Configuration: Sendable {
  /// Settings of the daemon as a whole.
  package var daemon: DaemonSettings
  /// Every job, disabled ones included, in the order of the files and of the lines within them.
  package var jobs: [Job]
  /// The maximum number of simultaneous runs of each group, all its jobs together.
  package var groups: [GroupName: Int] = [:]
  /// Expectations of the jobs' entries, in the order of the files.
  package var expectations: [PlacedExpectation] = []
  /// Warnings, which are no errors, in the order of the files.
  package var warnings: [Diagnostic]

  /// The jobs that lack something of the machine and are kept all the same: they never fall due. In the order of the files.
  package var faults: [JobFault] = []

  /// Missing files of jobs that go on with what was read before, and do not run after a restart.
  package var cautions: [JobFault] = []

  /// The sources from which it was read, so that it can be read again with a new edition of the zones.
  package var sources: [ConfigurationSource] = []

  /// The files that it names, such as lists of holidays, by their paths, as they were when it was read.
  package var files: [String: [UInt8]] = [:]

  /// The lines that ``ConfigurationContext/calendar`` made of those of ``files`` that are iCalendar, by their paths.
  package var calendars: [String: [UInt8]] = [:]

  /// The lines of the crontabs that it includes.
  package var crontabs = IncludedCrontabs()

  /// The place of each of ``jobs`` in its file; none after ``settle()``.
  var sites: [JobSourceLocation] = []

  /// Definitions for the engine: the enabled jobs in their order. Jobs of one kin share their common parts.
  package var definitions: [JobDefinition] {
    jobs.allSatisfy(\.isEnabled) ? jobs.map(\.definition) : jobs.filter(\.isEnabled).map(\.definition)
  }

  /// Takes in the same jobs as another reading of the same files has found them, by other rules of the zones.
  package mutating func replaceJobs(by other: Configuration) {
    jobs = other.jobs
    daemon.zone = other.daemon.zone
    faults = other.faults
    cautions = other.cautions
  }

  /// Leaves the jobs of crontabs to cron, or takes them from it.
  package mutating func leaveJobsToCron(_ isLeft: Bool) {
    let names = crontabs.cronJobs
    guard !names.isEmpty else { return }
    for index in jobs.indices where names.contains(jobs[index].name) {
      jobs[index].definition.isLeftToCron = isLeft
    }
  }

  /// Gives every `@reboot` its instant, which was not known when the files were read.
  package mutating func resolve(startOfMachine instant: WallInstant) {
    for index in jobs.indices {
      if let rule = jobs[index].schedule.resolved(startOfMachine: instant) {
        jobs[index].definition.schedule = rule
      }
    }
  }

  /// The job of that name, disabled or not.
  package func job(named name: JobName) -> Job? { index(of: name).map { jobs[$0] } }

  /// Returns the place of the job's name; the configuration as a whole after ``settle()``.
  package func place(of name: JobName) -> SourcePlace {
    index(of: name).map(place(ofJobAt:)) ?? SourcePlace(wholeOf: sources.first?.path ?? "configuration")
  }

  /// Returns the place of the plugin's name in the job at `index` of ``jobs``, for reports that there is no plugin of
  /// that name.
  package func pluginPlace(ofJobAt index: Int) -> SourcePlace {
    sites.indices.contains(index) ? sites[index].pluginPlace : place(ofJobAt: index)
  }

  /// Returns the place of the value at the path `keys` in the table of the job at `index` of ``jobs``, for reports
  /// that the machine lacks what the value names.
  package func place(ofJobAt index: Int, under keys: [String]) -> SourcePlace {
    sites.indices.contains(index) ? sites[index].place(under: keys) : place(ofJobAt: index)
  }

  /// Frees the parsed documents, which only a check needs and which are many times as large as the files. For a configuration that
  /// has been checked and is to be in force.
  package mutating func settle() { sites = [] }

  /// Sorts diagnostics of several checks: in the order of the files, then of lines and columns, then as given.
  package func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    diagnostics.sorted(by: sources.map(\.path))
  }

  private func index(of name: JobName) -> Int? { jobs.firstIndex { $0.name == name } }

  private func place(ofJobAt index: Int) -> SourcePlace {
    sites.indices.contains(index)
      ? sites[index].place : SourcePlace(wholeOf: sources.first?.path ?? "configuration")
  }
}

/// Everything that is wrong with a configuration, and its warnings, in the order of the files; at least one error.
package struct ConfigurationRefusal: Error, Sendable {
  /// Errors and warnings, in the order of the files and of the lines within them.
  package var diagnostics: [Diagnostic]
  /// The part that could be read all the same, without the warnings: enough to look for further errors, not to run. `nil` when it is
  /// nothing.
  package var readable: Configuration?

  /// The number of errors.
  package var errorCount: Int { diagnostics.count { $0.severity == .error } }
}
