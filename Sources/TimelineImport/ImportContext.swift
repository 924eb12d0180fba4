/// Facts of the machine that an import depends on.
package struct ImportContext: Sendable {
  /// Returns the home directory of a user; `nil` if there is no user with that name.
  package var home: @Sendable (String) -> String?
  /// Returns whether there is a directory at a path.
  package var isDirectory: @Sendable (String) -> Bool
  /// Name of the host, for the specifiers of units.
  package var hostName: String

  /// Makes a context.
  package init(
    hostName: String, home: @escaping @Sendable (String) -> String?,
    isDirectory: @escaping @Sendable (String) -> Bool
  ) {
    (self.hostName, self.home, self.isDirectory) = (hostName, home, isDirectory)
  }
}
