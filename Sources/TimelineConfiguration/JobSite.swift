/// Where a job stands in its file, for whoever has something to say about it after the files were read.
///
/// It keeps the whole document, so a configuration that is in force lets it go.
struct JobSite: Sendable {
  private let document: TOMLDocument
  private let entry: UInt32

  /// Notes the entry of a job.
  init(of entry: TOMLEntry) {
    document = entry.value.document
    self.entry = entry.value.index
  }

  /// What is said of the file.
  var source: SourceText { document.source }
  /// Where the job's name stands.
  var place: SourcePlace { TOMLValue(document: document, index: entry).keyPlace }
  /// Where the plugin's name stands.
  var pluginPlace: SourcePlace { value(under: "plugin")?.place ?? place }
  /// The parameters.
  var with: TOMLValue? { value(under: "with") }
  /// The key `with`, or the plugin's name when there is none.
  var withPlace: SourcePlace { with?.keyPlace ?? pluginPlace }

  private func value(under key: String) -> TOMLValue? {
    guard case .table(let entries) = document.content(at: entry) else { return nil }
    return entries.first { $0.key == key }?.value
  }
}
