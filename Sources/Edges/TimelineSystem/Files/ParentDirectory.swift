extension String {
  /// Path of the directory of the file at this path: "/" for a file in the root directory, "." for a name without a slash.
  package var parentDirectory: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// Path of the file `name` in the directory at this path.
  package func appending(fileName name: String) -> String { hasSuffix("/") ? self + name : self + "/" + name }
}
