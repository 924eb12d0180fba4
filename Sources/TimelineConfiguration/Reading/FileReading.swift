import TimelineCore

/// What the readers of one file share: its text, and where to say what is wrong.
struct FileReading {
  let source: SourceText
  let log: DiagnosticLog
  let context: ConfigurationContext
  let zones: ZoneTable
  /// The lists of holidays of all files.
  var holidays = HolidayTable()

  /// The place of a value.
  func place(of value: TOMLValue) -> SourcePlace { source.place(of: value) }

  /// Says that a value is of the wrong kind.
  func wrongKind(_ item: Item, expected: String, help: [String] = []) {
    log.error(
      "`\(item.path)` is \(item.value.kind)", at: item.place, label: "expected \(expected)", help: help)
  }
}

/// A value, with the words that messages call it by.
struct Item {
  /// The way to the value from its job or its table of settings, such as `schedule.periodic.by`.
  let path: String
  let value: TOMLValue
  /// Where the key stands; for an element of an array where the element does.
  let keyPlace: SourcePlace
  /// Where the value stands.
  let place: SourcePlace

  /// Where to point when the item as a whole is meant: a table with a header has no better place than its key.
  var wholePlace: SourcePlace { keyPlace }
}

/// A table's entries by key, after the keys that do not belong there have been reported.
struct Fields {
  private let items: [String: Item]
  /// Entries in the file's order.
  let ordered: [Item]

  /// Reads the entries of a table.
  init(_ entries: [TOMLEntry], of keys: KeyTable, path: String = "", in reading: FileReading) {
    var items: [String: Item] = [:]
    var ordered: [Item] = []
    for entry in entries {
      let keyPlace = reading.source.place(ofKey: entry)
      guard keys.keys.contains(entry.key) else {
        Self.report(entry, at: keyPlace, unknownIn: keys, in: reading)
        continue
      }
      let item = Item(
        path: path + entry.key, value: entry.value, keyPlace: keyPlace,
        place: reading.place(of: entry.value))
      items[entry.key] = item
      ordered.append(item)
    }
    self.items = items
    self.ordered = ordered
  }

  /// The item under `key`, if the file has it.
  subscript(key: String) -> Item? { items[key] }

  private static func report(
    _ entry: TOMLEntry, at place: SourcePlace, unknownIn keys: KeyTable, in reading: FileReading
  ) {
    var help = keys.help(forUnknown: entry.key)
    if case .table = entry.value.content, keys.title == KeyTable.job.title,
      help.first?.hasPrefix("did") != true
    {
      help = ["a job's name with a dot in it stands in quotes: [job.\"a.b\"]"]
    }
    reading.log.error(
      "unknown key `\(entry.key)`", at: place, label: "expected a key of \(keys.title)", help: help)
  }
}

/// The zones of one reading: each name is looked up once.
final class ZoneTable {
  private var zones: [String: Zone?] = [:]
  private let lookUp: (String) -> Zone?

  init(_ lookUp: @escaping (String) -> Zone?) {
    self.lookUp = lookUp
  }

  /// The zone of that name, or `nil` when there is none.
  subscript(name: String) -> Zone? {
    if let known = zones[name] { return known }
    let zone = Zone.isWellFormed(name: name) ? lookUp(name) : nil
    zones[name] = .some(zone)
    return zone
  }
}
