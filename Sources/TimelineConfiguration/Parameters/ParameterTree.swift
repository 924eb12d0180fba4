/// A job's `with` as it stands in the file, for those who check it later.
struct ParameterTree: Sendable {
  /// The entries; none when the job has no `with`.
  let table: [TOMLEntry]
  let source: SourceText
  /// The key `with`, or the plugin's name when there is none.
  let place: SourcePlace
}
