import TimelineCore

extension ConfigurationListing {
  /// A setting that is in effect in a daemon and takes precedence over the files.
  package struct Override: Sendable, Equatable {
    /// `daemon` or `control`.
    package var table: String
    package var key: String
    /// The value in TOML; `nil` if neither the file's value nor another value is in effect.
    package var text: String?
    /// The option or variable that sets the value, or the reason why the value differs from the file.
    package var origin: String

    /// Makes an override with a string, such as a path.
    package init(_ table: String, _ key: String, string: String?, origin: String) {
      self.init(table, key, text: string.map(TOMLText.string), origin: origin)
    }

    /// Makes an override with an array of strings.
    package init(_ table: String, _ key: String, strings: [String], origin: String) {
      self.init(table, key, text: TOMLText.array(strings), origin: origin)
    }

    /// Makes an override with a number.
    package init(_ table: String, _ key: String, number: Int, origin: String) {
      self.init(table, key, text: String(number), origin: origin)
    }

    private init(_ table: String, _ key: String, text: String?, origin: String) {
      (self.table, self.key, self.text, self.origin) = (table, key, text, origin)
    }
  }
}

extension Configuration {
  /// Returns the configuration with its defaults filled in. Parses the files again, which takes as long as reading
  /// them.
  package func listing(_ overrides: [ConfigurationListing.Override] = []) -> ConfigurationListing {
    var maker = ListingMaker(configuration: self)
    for (index, source) in sources.enumerated() { maker.add(source, isMain: index == 0) }
    return ConfigurationListing(tables: maker.tables(overrides))
  }
}

/// Collects the tables of all files by kind, as if the files were merged into one.
private struct ListingMaker {
  private typealias Table = ConfigurationListing.Table
  private typealias Value = ConfigurationListing.Value

  private let configuration: Configuration
  private let jobsByName: [String: Job]
  /// Jobs with a missing requirement; some of their settings are unknown.
  private let faulty: Set<JobName>
  private var settings: [String: Table] = [:]
  private var holidays: [Table] = []
  private var groups: [Table] = []
  private var jobs: [Table] = []
  private var expectations: [Table] = []

  init(configuration: Configuration) {
    self.configuration = configuration
    jobsByName = Dictionary(
      configuration.jobs.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    faulty = Set(configuration.faults.map(\.job))
  }

  mutating func add(_ source: ConfigurationSource, isMain: Bool) {
    guard let root = try? TOMLDocument.parse(SourceText(source)), case .table(let entries) = root.content
    else { return }
    let inherited = entries.first { $0.key == "defaults" }.flatMap { FileDefaults($0.value) }
    for entry in entries {
      switch (entry.key, entry.value.content) {
      case ("job", .table(let all)):
        jobs += all.map { job in
          let inherited = inherited?.entries(for: job) ?? []
          return table(
            ["job", job.key], job.value, .job, over: inherited, filling: defaults(ofJob: job, inherited))
        }
      case ("group", .table(let all)): groups += all.map { table(["group", $0.key], $0.value, .group) }
      case ("holidays", .table(let all)):
        holidays += all.map { table(["holidays", $0.key], $0.value, .holidays) }
      case ("expect-schedule", .array(let all)):
        expectations += all.map { value in
          var table = table(
            ["expect-schedule"], value, .expectation, filling: [("over", TOMLText.string("1y"))])
          table.isElement = true
          return table
        }
      case ("daemon", .table) where isMain: settings["daemon"] = table(["daemon"], entry.value, .daemon)
      case ("control", .table) where isMain: settings["control"] = table(["control"], entry.value, .control)
      case ("cluster", .table) where isMain: settings["cluster"] = table(["cluster"], entry.value, .cluster)
      case ("include", .table) where isMain: settings["include"] = table(["include"], entry.value, .include)
      case ("ledger", .table) where isMain: settings["ledger"] = table(["ledger"], entry.value, .ledger)
      default: break
      }
    }
  }

  func tables(_ overrides: [ConfigurationListing.Override]) -> [ConfigurationListing.Table] {
    let daemon = configuration.daemon
    let defaults: [(name: String, keys: KeyTable, values: [(key: String, text: String)])] = [
      (
        "daemon", .daemon,
        [
          ("time-zone", TOMLText.string(daemon.zone.name)),
          ("log-level", TOMLText.string(daemon.logLevel.rawValue)),
          ("plugin-hosts-max", String(daemon.hostCountMax)),
          ("drain-timeout", TOMLText.string("\(daemon.drainTimeout)")),
          ("mode", TOMLText.string(daemon.mode.choice.rawValue)),
        ]
      ),
      ("control", .control, []),
      (
        "ledger", .ledger,
        [
          ("retention", TOMLText.string("\(daemon.ledger.retention)")),
          ("entries-per-job", String(daemon.ledger.entriesPerJobMax)),
          ("damaged", TOMLText.string(daemon.ledger.damaged.rawValue)),
        ]
      ),
      (
        "cluster", .cluster,
        daemon.cluster.map { cluster in
          [
            (
              "node",
              TOMLText.table([("name", TOMLText.string(cluster.nodeTemplate))])
            ),
            ("lease", TOMLText.string("\(cluster.lease)")),
          ]
        } ?? []
      ),
      ("include", .include, []),
    ]
    var result: [Table] = []
    for (name, keys, values) in defaults {
      var table = settings[name] ?? Table(path: [name])
      for override in overrides where override.table == name {
        table.values.removeAll { $0.key == override.key }
        guard let text = override.text else { continue }
        table.values.append(.init(key: override.key, text: text, origin: override.origin))
      }
      table.fill(values, keys)
      if !table.values.isEmpty { result.append(table) }
    }
    return result + holidays + groups + jobs + expectations
  }

  private func table(
    _ path: [String], _ value: TOMLValue, _ keys: KeyTable, over inherited: [TOMLEntry] = [],
    filling defaults: [(key: String, text: String)] = []
  ) -> Table {
    var table = Table(path: path, origin: origin(of: value))
    guard case .table(let entries) = value.content else { return table }
    let own = entries.map { entry in
      let base = inherited.first { $0.key == entry.key }
      let text = base.flatMap { merged(entry, over: $0) } ?? filled(entry, of: path)
      return Value(key: entry.key, text: text ?? entry.value.inlineText, origin: origin(of: entry.value))
    }
    let given = Set(own.map(\.key))
    table.values =
      own
      + inherited.filter { !given.contains($0.key) }.map { entry in
        let text = filled(entry, of: path) ?? entry.value.inlineText
        return Value(key: entry.key, text: text, origin: origin(of: entry.value))
      }
    table.fill(defaults, keys)
    return table
  }

  /// Returns the table of `entry` merged with the table `base` of the file's defaults; `nil` if either is no table.
  private func merged(_ entry: TOMLEntry, over base: TOMLEntry) -> String? {
    guard case .table(let own) = entry.value.content, case .table(let below) = base.value.content else {
      return nil
    }
    let keys = Set(own.map(\.key))
    return TOMLText.table(
      (below.filter { !keys.contains($0.key) } + Array(own)).map { ($0.key, $0.value.inlineText) })
  }

  /// Returns the value of an entry that is a table with defaults of its own; `nil` for any other entry.
  private func filled(_ entry: TOMLEntry, of path: [String]) -> String? {
    if path == ["daemon"], entry.key == "low-frequency" {
      return configuration.daemon.mode.lowFrequency.tableText
    }
    guard path.first == "job", let job = path.last.flatMap({ jobsByName[$0] }) else { return nil }
    return JobDefaults(job: job).filled(entry)
  }

  /// Returns the file and line of the value's key; of the value itself for an array element, which has no key.
  private func origin(of value: TOMLValue) -> String {
    let keyLine = value.document.stretch(ofKeyAt: value.index).begin.line
    return "\(value.document.source.path):\(keyLine > 0 ? keyLine : value.begin.line)"
  }

  private func defaults(ofJob entry: TOMLEntry, _ inherited: [TOMLEntry]) -> [(key: String, text: String)] {
    guard let job = jobsByName[entry.key], case .table(let given) = entry.value.content else { return [] }
    return JobDefaults(job: job).values(
      beside: Set(given.map(\.key) + inherited.map(\.key)), isZoneKnown: !faulty.contains(job.name))
  }
}

extension ConfigurationListing.Table {
  /// Adds the defaults of absent keys, and sorts all values into the order of the reference.
  fileprivate mutating func fill(_ defaults: [(key: String, text: String)], _ keys: KeyTable) {
    let given = Set(values.map(\.key))
    values += defaults.filter { !given.contains($0.key) }.map {
      .init(key: $0.key, text: $0.text, origin: ConfigurationListing.defaultOrigin)
    }
    let ranks = Dictionary(uniqueKeysWithValues: keys.keys.enumerated().map { ($1, $0) })
    values = values.sorted(on: { ranks[$0.key] ?? .max })
  }
}
