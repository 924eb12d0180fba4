package import TimelineCore

extension Configuration {
  /// Checks the `with` of jobs against the JSON Schema text that their plugin gives, without running anything.
  ///
  /// An empty result means that the parameters fit. A schema that is itself broken is the plugin's fault and is
  /// said to be, in one error at each job's `plugin`. A name that no job has gives nothing.
  package func check(parametersOf names: [JobName], against schemaText: String) -> [Diagnostic] {
    let schema: ParameterSchema
    do {
      schema = try ParameterSchema(text: schemaText)
    } catch {
      return names.compactMap(job(named:)).map { job in
        Diagnostic(
          place: job.pluginPlace,
          message:
            "the plugin \"\(job.plugin)\" gives a broken schema of its parameters: \(error.description)",
          help: ["the job may be right; the plugin is to be corrected"])
      }
    }
    return names.flatMap { name -> [Diagnostic] in
      guard let tree = parameters[name] else { return [] }
      var check = SchemaCheck(tree: tree)
      check.run(schema)
      guard !check.diagnostics.isEmpty else { return [] }
      let log = DiagnosticLog()
      for diagnostic in check.diagnostics { log.report(diagnostic) }
      return log.sorted(by: [tree.source.path])
    }
  }
}
