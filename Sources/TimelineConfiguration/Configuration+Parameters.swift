package import TimelineCore

extension Configuration {
  /// Checks a job's `with` against the JSON Schema text that its plugin gives, without running anything.
  ///
  /// An empty result means that the parameters fit. A schema that is itself broken is the plugin's fault and is
  /// said to be, in one error at the job's `plugin`. A name that no job has gives nothing.
  package func check(parametersOf name: JobName, against schemaText: String) -> [Diagnostic] {
    guard let tree = parameters[name], let job = job(named: name) else { return [] }
    let schema: ParameterSchema
    do {
      schema = try ParameterSchema(text: schemaText)
    } catch {
      return [
        Diagnostic(
          place: job.pluginPlace,
          message:
            "the plugin \"\(job.plugin)\" gives a broken schema of its parameters: \(error.description)",
          help: ["the job may be right; the plugin is to be corrected"])
      ]
    }
    var check = SchemaCheck(tree: tree)
    check.run(schema)
    let log = DiagnosticLog()
    for diagnostic in check.diagnostics { log.report(diagnostic) }
    return log.sorted(by: [tree.source.path])
  }
}
