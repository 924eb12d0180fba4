/// The place of a job in its file, for diagnostics after the files were read.
///
/// It keeps the whole document, so a configuration in force drops it.
struct JobSourceLocation: Sendable {
  private let entry: TOMLValue
  /// The values that it has from `[defaults]`.
  private let inherited: [TOMLEntry]

  /// Makes the place of a job from its entry and those that it takes over.
  init(of entry: TOMLEntry, over inherited: [TOMLEntry] = []) {
    self.entry = entry.value
    self.inherited = inherited
  }

  /// The path of the file.
  var path: String { entry.keyPlace.path }
  /// The place of the job's name.
  var place: SourcePlace { entry.keyPlace }
  /// The place of the plugin's name.
  var pluginPlace: SourcePlace { value(under: "plugin")?.place ?? place }
  /// Returns the place of the value at the path `keys` in the job's table; the job's name when there is none.
  func place(under keys: [String]) -> SourcePlace {
    func value(_ first: TOMLValue?) -> TOMLValue? {
      keys.dropFirst().reduce(first) { found, key in found?.value(under: key) }
    }
    let found = keys.first.flatMap { key in
      value(entry.value(under: key)) ?? value(inherited.first { $0.key == key }?.value)
    }
    return found?.place ?? place
  }
  /// The parameters.
  var with: TOMLValue? { value(under: "with") }
  /// The key `with`, or the plugin's name when there is none.
  var withPlace: SourcePlace { with?.keyPlace ?? pluginPlace }

  private func value(under key: String) -> TOMLValue? {
    entry.value(under: key) ?? inherited.first { $0.key == key }?.value
  }
}

extension TOMLValue {
  /// The value under `key` when this is a table that has it.
  fileprivate func value(under key: String) -> TOMLValue? {
    guard case .table(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.value
  }
}
