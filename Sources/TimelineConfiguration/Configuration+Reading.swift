package import TimelineCore

extension Configuration {
  /// Reads the main file, the first of `sources`, and the job files after it.
  ///
  /// Every file and every job is checked to its end whatever is wrong with the others; a file that is not TOML
  /// gives one error for itself. Diagnostics come in the order of the files, then of lines and columns.
  package static func read(
    _ sources: [ConfigurationSource], in context: ConfigurationContext
  ) -> Result<Configuration, ConfigurationRefusal> {
    .failure(ConfigurationRefusal(diagnostics: []))
  }

  /// Checks a job's `with` against the JSON Schema text that its plugin gives, without running anything.
  ///
  /// An empty result means that the parameters fit. A schema that is itself broken is the plugin's fault and is
  /// said to be, in one error at the job's `plugin`. A name that no job has gives nothing.
  package func check(parametersOf name: JobName, against schema: String) -> [Diagnostic] { [] }
}
