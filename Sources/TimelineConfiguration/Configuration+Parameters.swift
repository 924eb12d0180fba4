package import TimelineCore

extension Configuration {
  /// Checks the `with` of jobs against the JSON Schema text that their plugin gives, without running anything.
  ///
  /// An empty result means that the parameters fit. A schema that is itself broken is the plugin's fault and is
  /// said to be, in one error at each job's `plugin`. A name that no job has gives nothing.
  package func check(parametersOf names: [JobName], against schemaText: String) -> [Diagnostic] {
    let wanted = Set(names)
    return check(
      parametersOfJobsAt: jobs.indices.filter { wanted.contains(jobs[$0].name) }, against: schemaText)
  }

  /// Checks the `with` of the jobs at `indexes` of ``jobs`` as ``check(parametersOf:against:)`` does.
  ///
  /// Jobs that are given the same are checked once; where something is wrong with it each is told of at its place.
  package func check(parametersOfJobsAt indexes: [Int], against schemaText: String) -> [Diagnostic] {
    let schema: ParameterSchema
    do {
      schema = try ParameterSchema(text: schemaText)
    } catch {
      return indexes.map { index in
        Diagnostic(
          severity: jobs[index].isEnabled ? .error : .warning, place: pluginPlace(ofJobAt: index),
          message:
            "the plugin \"\(jobs[index].plugin)\" gives a broken schema of its parameters: \(error.description)",
          help: ["the job may be right; the plugin is to be corrected"])
      }
    }
    var fitting: Set<ObjectIdentifier> = []
    return indexes.flatMap { index -> [Diagnostic] in
      guard sites.indices.contains(index), !fitting.contains(jobs[index].wants) else { return [] }
      let site = sites[index]
      var check = SchemaCheck(site: site)
      check.run(schema)
      guard !check.diagnostics.isEmpty else {
        if site.with?.holdsDates != true { fitting.insert(jobs[index].wants) }
        return []
      }
      let log = DiagnosticLog()
      for diagnostic in check.diagnostics { log.report(diagnostic) }
      return log.sorted(by: [site.path])
    }
  }
}
