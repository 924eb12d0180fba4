import Foundation

/// The files of a checkout that rules look at: everything that is written manually, nothing that is built.
struct SourceTree {
  /// The files, in order of their paths.
  var files: [SourceFile]

  /// A tree of planted files, for the tests of the rules themselves.
  init(_ files: [SourceFile]) {
    self.files = files
  }

  /// Reads the checkout that this test was compiled from.
  init(checkout: URL = SourceTree.root) throws {
    let top = ["Package.swift", "Makefile", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"]
    let directories = ["Sources", "Tests", "systemd", "etc", "docs", ".ci"]
    var paths = top.filter { FileManager.default.fileExists(atPath: checkout.appending(path: $0).path) }
    for directory in directories {
      let below = FileManager.default.enumerator(atPath: checkout.appending(path: directory).path)
      while let path = below?.nextObject() as? String { paths.append("\(directory)/\(path)") }
    }
    files = paths.filter { !$0.contains(".build/") }.sorted().compactMap { path in
      guard let bytes = try? Data(contentsOf: checkout.appending(path: path)) else { return nil }
      // A picture has no text, and pages link to it.
      return SourceFile(path: path, text: String(bytes: bytes, encoding: .utf8) ?? "")
    }
  }

  /// The checkout's directory, three levels above this file.
  static var root: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  /// The Swift files, without the manifests.
  var swiftFiles: [SourceFile] { files.filter { $0.isSwift && !$0.path.hasSuffix("Package.swift") } }
  /// The Swift files below `Sources`.
  var swiftSources: [SourceFile] { swiftFiles.filter { $0.isSource } }
  /// The Swift files below `Tests`.
  var swiftTests: [SourceFile] { swiftFiles.filter { $0.isTest } }
}

/// One file, with its text taken apart into code and comments.
struct SourceFile {
  /// Relative to the checkout.
  var path: String
  /// The lines as they are written.
  var lines: [String]
  /// The text with comments and the contents of string literals blanked out, line for line.
  var code: String
  /// The lines of ``code``.
  var codeLines: [String]
  /// The lines with everything but comments blanked out.
  var commentLines: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    let parts = SourceText.separate(text)
    code = parts.code
    codeLines = parts.code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    commentLines = parts.comments.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  var isSwift: Bool { path.hasSuffix(".swift") }
  var isC: Bool { [".c", ".h", ".cpp"].contains { path.hasSuffix($0) } }
  /// A page of the documentation.
  var isPage: Bool { path.hasSuffix(".md") }
  var isSource: Bool { path.hasPrefix("Sources/") }
  var isTest: Bool { path.hasPrefix("Tests/") }
  /// Code that a plugin's author could have written: it runs in a host and owes the daemon's rules nothing.
  var isPlugin: Bool { path.hasPrefix("Sources/Plugins/bundled/") || path.hasPrefix("Tests/BrokenPlugins/") }
  /// The directory below a floor of `Sources`, or below `Tests`: the target's name.
  var target: String {
    let (parts, depth) = (path.split(separator: "/"), isSource ? 2 : 1)
    return parts.count > depth + 1 ? String(parts[depth]) : ""
  }
  /// The directory below `Sources`: the floor of the target.
  var floor: String? {
    let parts = path.split(separator: "/")
    return isSource && parts.count > 2 ? String(parts[1]) : nil
  }

  /// The 1-based line of a position in ``code``.
  func line(at index: String.Index) -> Int {
    code.utf8[..<index].count { $0 == UInt8(ascii: "\n") } + 1
  }

  /// Whether a comment stands on the 1-based line or directly above it.
  func hasComment(besideLine line: Int) -> Bool {
    func isCommented(_ number: Int) -> Bool {
      guard commentLines.indices.contains(number - 1) else { return false }
      return commentLines[number - 1].contains { !$0.isWhitespace }
    }
    return isCommented(line) || isCommented(line - 1)
  }
}
