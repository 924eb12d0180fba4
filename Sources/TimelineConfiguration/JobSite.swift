import Synchronization

/// The place of a job in its file, for diagnostics after the files were read.
///
/// It keeps the whole document, or the text of it, so a configuration in force drops it.
struct JobSite: Sendable {
  private let document: SiteDocument
  /// The entry's index in the document, or the number of the job in a file that was not read again.
  private let number: UInt32

  /// Notes the entry of a job, which is of that document.
  init(of entry: TOMLEntry, in document: SiteDocument) {
    self.document = document
    number = entry.value.index
  }

  /// Notes the job of this number, from 0, in a file that says nothing but jobs and was not read again.
  init(ofJob number: Int, in document: SiteDocument) {
    self.document = document
    self.number = UInt32(truncatingIfNeeded: number)
  }

  /// The path of the file.
  var path: String { document.path }
  /// The place of the job's name.
  var place: SourcePlace { entry?.keyPlace ?? SourcePlace(wholeOf: path) }
  /// The place of the plugin's name.
  var pluginPlace: SourcePlace { value(under: "plugin")?.place ?? place }
  /// Returns the place of the value at the path `keys` in the job's table; the job's name when there is none.
  func place(under keys: [String]) -> SourcePlace {
    var found = entry
    for key in keys { found = found?.value(under: key) }
    return found?.place ?? place
  }
  /// The parameters.
  var with: TOMLValue? { value(under: "with") }
  /// The key `with`, or the plugin's name when there is none.
  var withPlace: SourcePlace { with?.keyPlace ?? pluginPlace }

  private var entry: TOMLValue? { document.entry(number) }

  private func value(under key: String) -> TOMLValue? { entry?.value(under: key) }
}

extension TOMLValue {
  /// The value under `key` when this is a table that has it.
  fileprivate func value(under key: String) -> TOMLValue? {
    guard case .table(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.value
  }
}

/// The document in which jobs stand, which is taken apart for a file that was not read again only when somebody asks where something
/// stands in it.
final class SiteDocument: Sendable {
  private enum Content {
    case read(TOMLDocument)
    case unread(ConfigurationSource)
    /// With the entries of the jobs.
    case readLate(TOMLDocument?, [UInt32])
  }

  let path: String
  private let content: Mutex<Content>

  /// The document of a file that has been read; its jobs are known by the indexes of their entries.
  init(_ document: TOMLDocument) {
    path = document.source.path
    content = Mutex(.read(document))
  }

  /// The document of a file that was right when it was read before; its jobs are known by their numbers.
  init(unread source: ConfigurationSource) {
    path = source.path
    content = Mutex(.unread(source))
  }

  /// The entry of a job.
  func entry(_ number: UInt32) -> TOMLValue? {
    content.withLock { content in
      if case .unread(let source) = content { content = Self.read(source) }
      switch content {
      case .read(let document): return TOMLValue(document: document, index: number)
      case .readLate(let document?, let entries) where entries.indices.contains(Int(number)):
        return TOMLValue(document: document, index: entries[Int(number)])
      case .readLate, .unread: return nil
      }
    }
  }

  private static func read(_ source: ConfigurationSource) -> Content {
    guard let root = try? TOMLDocument.parse(SourceText(source)), case .table(let entries) = root.content,
      let jobs = entries.first(where: { $0.key == "job" })?.value, case .table(let all) = jobs.content
    else { return .readLate(nil, []) }
    return .readLate(root.document, all.map(\.value.index))
  }
}
