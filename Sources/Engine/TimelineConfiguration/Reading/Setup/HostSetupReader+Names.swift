import TimelineCore

extension HostSetupReader {
  /// Returns the variables of `environment`. Variables of later tables replace variables of earlier tables.
  func environment(_ layers: [Item]) -> [String: String] {
    var variables: [String: String] = [:]
    for item in layers { readVariables(item, into: &variables) }
    let byteCount = variables.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    if let item = layers.last,
      byteCount > JobLimits.environmentMax || variables.count > JobLimits.variablesMax
    {
      reading.log.error(
        "`\(item.path)` has \(variables.count) variables with \(byteCount) bytes", at: item.keyPlace,
        label: "expected at most \(JobLimits.variablesMax) variables, and \(JobLimits.environmentMax) bytes",
        help: ["put what is longer into a file, and its path into a variable or into `credentials`"])
    }
    return variables
  }

  private func readVariables(_ item: Item, into variables: inout [String: String]) {
    let help = ["it looks like { LANG = \"C.UTF-8\" }"]
    guard let entries = reading.table(item, expected: "a table of variables", help: help) else { return }
    for variable in items(of: item, entries) {
      guard isVariableName(variable), let value = reading.string(variable.item, isFree: true) else {
        continue
      }
      guard !value.utf8.contains(0) else {
        reading.log.error(
          "`\(variable.item.path)` holds a NUL", at: variable.item.place, label: "expected text without it")
        continue
      }
      variables[variable.name] = value
    }
  }

  private func isVariableName(_ variable: (name: String, item: Item)) -> Bool {
    let name = variable.name
    guard EnvironmentFileText.isName(name),
      name.utf8.count <= ConfigurationLimits.environmentNameByteCountMax
    else {
      reading.log.error(
        "\"\(name)\" cannot name a variable", at: variable.item.keyPlace,
        label: "expected letters, digits and `_`, no digit first")
      return false
    }
    let isOurs = EnvironmentFileText.isReserved(name)
    if isOurs {
      reading.log.error(
        "`\(variable.item.path)` is timelined's to set", at: variable.item.keyPlace,
        label: "expected another name",
        help: name.hasPrefix("T") ? [] : ["files of `credentials` are found in the directory that it names"])
    }
    return !isOurs
  }

  /// Returns the SHA-256 digest of the key `sha256`.
  func digest(_ item: Item) -> FileDigest? {
    let expected = "the \(FileDigest.digitCount) hexadecimal digits that sha256sum prints"
    guard let text = reading.string(item, expected: expected) else { return nil }
    guard let digest = FileDigest(text) else {
      reading.log.error(
        "`\(item.path)` is no SHA-256", at: item.place, label: "expected \(expected)",
        help: ["`sha256sum FILE`, with the plugin's file, prints it before the file's name"])
      return nil
    }
    return digest
  }

  /// Returns the files of `environment-file`, which is one file or an array of files.
  func environmentFiles(_ item: Item) -> [ExpectedPath] {
    var items = [item]
    if case .array(let values) = item.value.content {
      items = values.enumerated().map { Item($1, at: $0, of: item) }
    }
    let files = items.compactMap(environmentFile)
    let byteCount = files.reduce(0) { $0 + $1.text.utf8.count }
    if items.count > JobLimits.environmentFilesMax || byteCount > JobLimits.environmentFilePathsMax {
      reading.log.error(
        "`\(item.path)` has \(items.count) files whose paths have \(byteCount) bytes", at: item.keyPlace,
        label:
          "expected at most \(JobLimits.environmentFilesMax) files, and \(JobLimits.environmentFilePathsMax) bytes",
        help: ["put what belongs together into one file"])
    }
    return files
  }

  private func environmentFile(_ item: Item) -> ExpectedPath? {
    let expected = "the path of a file, with `-` in front of it if it may be missing"
    guard let text = reading.string(item, expected: expected) else { return nil }
    let file = ExpectedPath(text)
    guard reading.isAbsolutePath(file.path, of: item) else { return nil }
    return file
  }

  /// Returns the files of `credentials`, by the names in a run. Entries of later tables replace entries of earlier
  /// tables.
  func credentials(_ layers: [Item]) -> [String: String] {
    var files: [String: String] = [:]
    for item in layers { readCredentials(item, into: &files) }
    let byteCount = files.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    if let item = layers.last,
      byteCount > JobLimits.credentialNamesMax || files.count > JobLimits.credentialsMax
    {
      reading.log.error(
        "`\(item.path)` has \(files.count) files whose names and paths have \(byteCount) bytes",
        at: item.keyPlace,
        label:
          "expected at most \(JobLimits.credentialsMax) files, and \(JobLimits.credentialNamesMax) bytes",
        help: ["put what belongs together into one file, or shorten the paths"])
    }
    return files
  }

  private func readCredentials(_ item: Item, into files: inout [String: String]) {
    let help = ["it looks like { password = \"/etc/timelined/password\" }"]
    guard let entries = reading.table(item, expected: "a table of paths", help: help) else { return }
    for credential in items(of: item, entries) {
      // The name must be valid as a job's name, which is also valid as a file name.
      guard JobName(credential.name) != nil else {
        reading.log.error(
          "\"\(credential.name)\" cannot name a credential", at: credential.item.keyPlace,
          label: "expected letters, digits, `-`, `_` or `.`, a letter or digit first")
        continue
      }
      files[credential.name] = reading.absolutePath(credential.item)
    }
  }

  private func items(of table: Item, _ entries: TOMLTable) -> [(name: String, item: Item)] {
    let prefix = table.path + "."
    return entries.map { entry in
      let name = entry.key
      return (name, Item(entry, key: name, prefix: prefix))
    }
  }
}
