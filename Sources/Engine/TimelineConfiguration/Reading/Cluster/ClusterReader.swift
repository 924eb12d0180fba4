import TimelineCore

/// Reads `[cluster]`. If there is an error, reports it and returns no cluster.
struct ClusterReader {
  let reading: FileReading

  private static let nodeExample = ["it looks like node = { name = \"%H\", labels = { role = \"db\" } }"]

  /// Reads the entries of the table with this header.
  func read(_ entries: TOMLTable, header: Item) -> ClusterConfiguration? {
    let fields = Fields(entries, of: .cluster, path: "cluster.", in: reading)
    let name = required("name", in: fields, header, help: ["such as name = \"prod\""]).flatMap(word)
    let store = required("store", in: fields, header, help: ClusterStoreReader.example).flatMap(
      ClusterStoreReader(reading: reading).read)
    var configuration = ClusterConfiguration(
      name: name ?? "", store: store ?? .postgresql(credential: .named("")))
    if let item = fields["node"],
      let entries = reading.table(item, expected: "a table of the node", help: Self.nodeExample)
    {
      readNode(Fields(entries, of: .clusterNode, path: item.path + ".", in: reading), into: &configuration)
    }
    if let item = fields["lease"], let lease = lease(item) { configuration.lease = lease }
    return name == nil || store == nil ? nil : configuration
  }

  private func required(_ key: String, in fields: Fields, _ header: Item, help: [String]) -> Item? {
    if let item = fields[key] { return item }
    reading.log.error(
      "`[cluster]` has no `\(key)`", at: header.keyPlace, label: "expected `\(key)` in it", help: help)
    return nil
  }

  /// Returns a name that is valid in every store and on every command line.
  private func word(_ item: Item) -> String? {
    guard let text = reading.string(item, isFree: true) else { return nil }
    if LabelRule.isWord(text) { return text }
    reading.log.error(
      "`\(item.path)` cannot be \"\(text)\"", at: item.place,
      label: "expected 1 to 64 letters, digits, `-`, `_` or `.`")
    return nil
  }

  private func readNode(_ fields: Fields, into configuration: inout ClusterConfiguration) {
    if let item = fields["name"], let text = reading.string(item, isFree: true) {
      if LabelRule.isWord(ClusterConfiguration.expanded(text, "host")) {
        configuration.nodeTemplate = text
      } else {
        reading.log.error(
          "`\(item.path)` cannot be \"\(text)\"", at: item.place,
          label: "expected 1 to 64 letters, digits, `-`, `_` or `.`, and `%H` for the host's name")
      }
    }
    guard let item = fields["labels"],
      let entries = reading.table(item, expected: "a table of labels", help: Self.nodeExample)
    else { return }
    if entries.count > ClusterConfiguration.labelsMax {
      reading.log.error(
        "`\(item.path)` has \(entries.count) labels", at: item.keyPlace,
        label: "expected at most \(ClusterConfiguration.labelsMax)")
    }
    for entry in entries {
      let label = Item(entry, key: entry.key, prefix: item.path + ".")
      guard let value = word(label) else { continue }
      if LabelRule.isWord(entry.key) {
        configuration.labels[entry.key] = value
      } else {
        reading.log.error(
          "\"\(entry.key)\" cannot be the name of a label", at: label.keyPlace,
          label: "expected 1 to 64 letters, digits, `-`, `_` or `.`")
      }
    }
  }

  private func lease(_ item: Item) -> ElapsedTime? {
    guard
      let lease = reading.elapsed(
        item, atLeast: ClusterConfiguration.leaseMin, because: ", so that one lost call does not end it")
    else { return nil }
    if lease <= ClusterConfiguration.leaseMax { return lease }
    reading.log.error(
      "`\(item.path)` is too long", at: item.place,
      label: "expected at most \"\(ClusterConfiguration.leaseMax)\": so long the jobs of a dead node wait")
    return nil
  }
}
