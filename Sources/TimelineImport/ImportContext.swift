/// Facts of the machine that an import depends on.
package struct ImportContext: Sendable {
  /// Returns the home directory of a user; `nil` if there is no user of that name.
  package var home: @Sendable (String) -> String?
  /// Name of the host, for specifiers of units.
  package var hostName: String

  /// Makes a context.
  package init(hostName: String, home: @escaping @Sendable (String) -> String?) {
    self.home = home
    self.hostName = hostName
  }
}
