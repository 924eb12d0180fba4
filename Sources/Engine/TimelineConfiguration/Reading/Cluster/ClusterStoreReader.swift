import TimelineCore

/// Reads `store` in `[cluster]`. If there is an error, reports it and returns no store.
struct ClusterStoreReader {
  let reading: FileReading

  /// Help if the store is missing.
  static let example = ["it looks like store = { postgresql = { credential = \"timelined-pg\" } }"]
  private static let etcdExample = [
    "it looks like store = { etcd = { endpoints = [\"https://etcd1:2379\"], credential = \"timelined-etcd\" } }"
  ]

  /// Reads the table.
  func read(_ item: Item) -> ClusterConfiguration.Store? {
    guard let entries = reading.table(item, expected: "a table of the store", help: Self.example) else {
      return nil
    }
    let fields = Fields(entries, of: .clusterStore, path: item.path + ".", in: reading)
    switch (fields["postgresql"], fields["etcd"]) {
    case (let database?, nil): return postgresql(database)
    case (nil, let etcd?): return self.etcd(etcd)
    case (nil, nil):
      reading.log.error(
        "`store` names no store", at: item.keyPlace, label: "expected `postgresql` or `etcd` in it",
        help: Self.example)
    case (_?, let second?):
      reading.log.error("`store` names two stores", at: second.keyPlace, label: "expected one of them")
    }
    return nil
  }

  private func postgresql(_ item: Item) -> ClusterConfiguration.Store? {
    guard let entries = reading.table(item, expected: "a table of the database", help: Self.example)
    else { return nil }
    let fields = Fields(entries, of: .postgresql, path: item.path + ".", in: reading)
    return required("credential", of: item, in: fields, Self.example).flatMap(credential).map {
      .postgresql(credential: $0)
    }
  }

  private func etcd(_ item: Item) -> ClusterConfiguration.Store? {
    guard let entries = reading.table(item, expected: "a table of the etcd", help: Self.etcdExample)
    else { return nil }
    let fields = Fields(entries, of: .etcd, path: item.path + ".", in: reading)
    let endpoints = required("endpoints", of: item, in: fields, Self.etcdExample).flatMap(endpoints)
    let source = fields["credential"].map { credential($0) }
    // A credential with an error, `.some(nil)`, differs from an absent credential.
    guard let endpoints, source != .some(nil) else { return nil }
    return .etcd(endpoints: endpoints, credential: source ?? nil)
  }

  private func required(_ key: String, of table: Item, in fields: Fields, _ help: [String]) -> Item? {
    if let item = fields[key] { return item }
    reading.log.error(
      "`\(table.path)` has no `\(key)`", at: table.keyPlace, label: "expected `\(key)` in it", help: help)
    return nil
  }

  private func endpoints(_ item: Item) -> [String]? {
    guard let urls = reading.strings(item, of: "endpoints", endpoint) else { return nil }
    if (1...ClusterConfiguration.Store.endpointsMax).contains(urls.count) { return urls }
    reading.log.error(
      "`\(item.path)` has \(urls.count) endpoints", at: item.place,
      label: "expected 1 to \(ClusterConfiguration.Store.endpointsMax)", help: Self.etcdExample)
    return nil
  }

  private func endpoint(_ item: Item) -> String? {
    guard let text = reading.string(item) else { return nil }
    if Self.isEndpoint(text) { return text }
    reading.log.error(
      "\"\(text)\" is not an endpoint", at: item.place,
      label: "expected `https://` or `http://`, a host, and a port", help: ["such as \"https://etcd1:2379\""])
    return nil
  }

  /// Whether the text is the URL of a server, without a user and a path.
  private static func isEndpoint(_ text: String) -> Bool {
    guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return false }
    let host = text.utf8.dropFirst(scheme.utf8.count)
    return !host.isEmpty
      && host.allSatisfy {
        (0x21...0x7E).contains($0) && ![UInt8(ascii: "/"), UInt8(ascii: "@")].contains($0)
      }
  }

  private func credential(_ item: Item) -> ClusterConfiguration.CredentialSource? {
    guard let text = reading.string(item, expected: "the name of a credential, or the path of a file") else {
      return nil
    }
    if text.hasPrefix("/") { return reading.absolutePath(item).map { .file($0) } }
    if LabelRule.isWord(text) { return .named(text) }
    reading.log.error(
      "\"\(text)\" is neither a credential's name nor an absolute path", at: item.place,
      label: "expected a name such as \"timelined-pg\", or a path that begins with `/`",
      help: ["the secret itself belongs into that file, so that nobody reads it here"])
    return nil
  }
}
