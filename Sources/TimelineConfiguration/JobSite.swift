/// Where a job stands in its file, for whoever has something to say about it after the files were read.
///
/// It keeps the whole document, so a configuration that is in force lets it go.
struct JobSite: Sendable {
  private let document: TOMLDocument
  private let entry: UInt32
  private let plugin: UInt32
  private let parameters: UInt32

  /// Notes the entry of a job with the plugin's name and the parameters, as far as there are any.
  init(of entry: TOMLEntry, plugin: TOMLValue?, parameters: TOMLValue?) {
    document = entry.value.document
    self.entry = entry.value.index
    self.plugin = plugin?.index ?? TOMLDocument.end
    self.parameters = parameters?.index ?? TOMLDocument.end
  }

  /// What is said of the file.
  var source: SourceText { document.source }
  /// Where the job's name stands.
  var place: SourcePlace { TOMLValue(document: document, index: entry).keyPlace }
  /// Where the plugin's name stands.
  var pluginPlace: SourcePlace { value(plugin)?.place ?? place }
  /// The parameters.
  var with: TOMLValue? { value(parameters) }
  /// The key `with`, or the plugin's name when there is none.
  var withPlace: SourcePlace { with?.keyPlace ?? pluginPlace }

  private func value(_ index: UInt32) -> TOMLValue? {
    index == TOMLDocument.end ? nil : TOMLValue(document: document, index: index)
  }
}
