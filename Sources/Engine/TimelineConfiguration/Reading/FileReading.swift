import TimelineCore

/// State that the readers of one file share, such as its text and the log of diagnostics.
final class FileReading {
  let source: SourceText
  let log: DiagnosticLog
  let context: ConfigurationContext
  let zones: ZoneTable
  let pool: JobPool
  /// Holiday lists of all files.
  var holidays = HolidayTable()
  /// Valid plugin names; `nil` if they are unknown and any name is accepted.
  var pluginNames: [String]?

  var defaults: FileDefaults?

  /// Missing files of the job that is being read; collected only with
  /// ``ConfigurationContext/keepsJobsThatLackFiles``.
  var lacks: [MissingRequirement] = []
  /// The first warning of the job that is being read about an unreadable holiday list that keeps its former days.
  var caution: Diagnostic?

  init(
    _ document: TOMLDocument, log: DiagnosticLog, context: ConfigurationContext, zones: ZoneTable,
    pool: JobPool
  ) {
    source = document.source
    self.log = log
    self.context = context
    self.zones = zones
    self.pool = pool
  }

  /// Returns the zone with the name; `nil` if there is no such zone.
  func zone(named name: String) -> Zone? { zones[name] }

  /// Reports a value of the wrong kind.
  func wrongKind(_ item: Item, expected: String, help: [String] = []) {
    log.error(
      "`\(item.path)` is \(item.value.kind)", at: item.place, label: "expected \(expected)", help: help)
  }
}

/// A value with the data for its diagnostics. Texts and places are computed only on request.
struct Item {
  /// The key; for an array element, its number in brackets.
  let key: String
  let value: TOMLValue
  private let prefix: String
  private let isElement: Bool

  /// Makes the item for the value of a key. `prefix` is the path of the key's table with a dot at its end, or empty.
  init(_ entry: TOMLEntry, key: String, prefix: String) {
    self.key = key
    value = entry.value
    self.prefix = prefix
    isElement = false
  }

  /// Makes the item for the element at `position` of an array.
  init(_ value: TOMLValue, at position: Int, of array: Item) {
    key = "[\(position)]"
    self.value = value
    prefix = array.path
    isElement = true
  }

  /// Path within the job or the table of settings, such as `schedule.periodic.by`.
  var path: String { prefix + key }
  /// Place of the key; for an array element, place of the element.
  var keyPlace: SourcePlace { isElement ? value.place : value.keyPlace }
  var place: SourcePlace { value.place }
}

/// A table's entries by key. Keys that do not belong to the table have been reported.
struct Fields {
  /// Entries in the file's order, followed by inherited entries.
  let ordered: [Item]
  /// Inherited tables to merge with a table in ``ordered``.
  private let below: [Item]
  /// One bit for each present key. For most absent keys, the bit is not set and no search is needed.
  private let marks: UInt64

  /// Reads the entries of a table. They override inherited entries.
  init(
    _ entries: TOMLTable, of keys: KeyTable, path: String = "", over inherited: [TOMLEntry] = [],
    in reading: FileReading
  ) {
    var (ordered, below): ([Item], [Item]) = ([], [])
    var marks: UInt64 = 0
    ordered.reserveCapacity(entries.count)
    for entry in entries {
      let key = entry.key
      guard keys.contains(key) else {
        Self.report(entry, unknownIn: keys, in: reading)
        continue
      }
      ordered.append(Item(entry, key: key, prefix: path))
      marks |= KeyTable.mark(of: key)
    }
    let own = ordered
    for entry in inherited {
      let item = Item(entry, key: entry.key, prefix: path)
      if own.contains(where: { $0.key == item.key }) { below.append(item) } else { ordered.append(item) }
      marks |= KeyTable.mark(of: item.key)
    }
    self.ordered = ordered
    self.below = below
    self.marks = marks
  }

  /// The item under `key`; `nil` if the key is absent.
  subscript(key: String) -> Item? {
    marks & KeyTable.mark(of: key) == 0 ? nil : ordered.first { $0.key == key }
  }

  /// Returns the tables under `key` to merge, from the lowest to the highest precedence; empty if the key is absent.
  func layers(_ key: String) -> [Item] {
    guard let item = self[key] else { return [] }
    return below.filter { $0.key == key } + [item]
  }

  private static func report(
    _ entry: TOMLEntry, unknownIn keys: KeyTable, in reading: FileReading
  ) {
    let meaning = schedule(entry, besides: keys) ?? keys.meaning(of: entry.key)
    var help = [meaning ?? keys.listing]
    if case .table = entry.value.content, keys.title == KeyTable.job.title,
      meaning?.hasPrefix("did you mean") != true
    {
      let dotted = "a job's name with a dot in it stands in quotes: [job.\"a.b\"]"
      help = meaning.map { [$0, dotted] } ?? [dotted]
    }
    reading.log.error(
      "unknown key `\(entry.key)`", at: entry.place, label: "expected a key of \(keys.title)", help: help)
  }
}

extension Fields {
  /// Advice for a rule written directly in a job, or for an interval written directly in a schedule; `nil` for any
  /// other entry.
  private static func schedule(_ entry: TOMLEntry, besides keys: KeyTable) -> String? {
    let isInJob = keys.title == KeyTable.job.title
    guard isInJob || keys.title == KeyTable.schedule.title, case .string(let text) = entry.value.content
    else { return nil }
    var key = entry.key
    if case .key(let meant)? = KeySynonyms.meaning(of: key) { key = meant }
    let rule: String
    switch key {
    case "by" where (try? ElapsedTime(parsing: text)) != nil: rule = "periodic = { by = \"\(text)\" }"
    case "by" where CivilDistance.parse(text) != nil:
      rule = "civil = { every = \"\(text)\", from = 2026-01-05, at = [\"09:00\"] }"
    case "cron" where isInJob && (try? CronExpression(parsing: text)) != nil: rule = "cron = \"\(text)\""
    case "calendar" where isInJob && (try? CalendarExpression(parsing: text)) != nil:
      rule = "calendar = \"\(text)\""
    default: return nil
    }
    return "write schedule = { \(rule) }"
  }
}

/// Zones of one reading. Each name is looked up once.
final class ZoneTable {
  private var zones: [String: Zone?] = [:]
  private let lookUp: (String) -> Zone?

  init(_ lookUp: @escaping (String) -> Zone?) {
    self.lookUp = lookUp
  }

  /// The zone with the name; `nil` if there is no such zone.
  subscript(name: String) -> Zone? {
    if let known = zones[name] { return known }
    let zone = Zone.isWellFormed(name: name) ? lookUp(name) : nil
    zones[name] = .some(zone)
    return zone
  }
}
