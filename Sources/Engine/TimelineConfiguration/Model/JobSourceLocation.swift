/// The place of a job in its file, for diagnostics after the reading.
///
/// Retains the whole parsed document, so a configuration in force releases this value.
struct JobSourceLocation: Sendable {
  private let entry: TOMLValue
  /// Entries from `[defaults]`.
  private let inherited: [TOMLEntry]

  /// Makes the place of a job from its own entry and the entries that it inherits.
  init(of entry: TOMLEntry, over inherited: [TOMLEntry] = []) {
    self.entry = entry.value
    self.inherited = inherited
  }

  var path: String { entry.keyPlace.path }
  /// Place of the job's name.
  var place: SourcePlace { entry.keyPlace }
  /// Place of the plugin's name; of the job's name if there is no plugin.
  var pluginPlace: SourcePlace { value(under: "plugin")?.place ?? place }
  /// Returns the place of the value at the path `keys` in the job's table; the place of the job's name without such a
  /// value.
  func place(under keys: [String]) -> SourcePlace {
    func value(_ first: TOMLValue?) -> TOMLValue? {
      keys.dropFirst().reduce(first) { found, key in found?.value(under: key) }
    }
    let found = keys.first.flatMap { key in
      value(entry.value(under: key)) ?? value(inherited.first { $0.key == key }?.value)
    }
    return found?.place ?? place
  }
  var with: TOMLValue? { value(under: "with") }
  /// Place of the key `with`; ``pluginPlace`` if there is no such key.
  var withPlace: SourcePlace { with?.keyPlace ?? pluginPlace }

  private func value(under key: String) -> TOMLValue? {
    entry.value(under: key) ?? inherited.first { $0.key == key }?.value
  }
}

extension TOMLValue {
  /// Returns the value under `key` if this value is a table that has the key.
  fileprivate func value(under key: String) -> TOMLValue? {
    guard case .table(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.value
  }
}
