import Foundation

/// PyPI's `varlink`, a client of another project.
package enum ForeignVarlink {
  /// A Python that has the package, or `nil` where none can be had.
  ///
  /// It is the one that `TIMELINED_VARLINK_PYTHON` names, the machine's own, or one in a directory of the build. The last one is
  /// made at its first use, which needs the network once.
  package static let python: String? = {
    let directory = "\(sourceRoot)/.build/varlink"
    let candidates = [
      ProcessInfo.processInfo.environment["TIMELINED_VARLINK_PYTHON"], "\(directory)/bin/python3",
      "/usr/bin/python3",
    ].compactMap { $0 }
    if let found = candidates.first(where: hasVarlink) { return found }
    do {
      try shell("/usr/bin/python3", "-m", "venv", directory)
      try shell(
        "\(directory)/bin/python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
        "--timeout", "5",
        "--retries", "0", "varlink")
    } catch {
      return nil
    }
    return hasVarlink("\(directory)/bin/python3") ? "\(directory)/bin/python3" : nil
  }()

  /// Comment of a skipped test.
  package static let absence = "needs python3 with PyPI's varlink; pip could not get it"

  private static func hasVarlink(_ python: String) -> Bool {
    (try? shell(python, "-c", "import varlink")) != nil
  }
}
