import Foundation
package import Glibc

/// A temporary directory of a test, with methods that make files and plugins in it. It is removed with this object.
package final class Workshop {
  /// Its absolute path.
  package let path: String

  /// Makes an empty directory that other users can read, so that a process which became another user can use the files.
  package init() throws {
    var template = Array("/tmp/timelined-test.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw TestFailure("mkdtemp failed") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    unsafe chmod(path, 0o755)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, with directories on the way to it, and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String, mode: mode_t = 0o644) throws -> String {
    let file = "\(path)/\(name)"
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: file).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    unsafe chmod(file, mode)
    return file
  }

  /// Compiles a plugin from C and returns its path.
  @discardableResult
  package func compile(_ source: String, name: String = "plugin") throws -> String {
    try compile(files: [write(source, to: "\(name).c")], name: name)
  }

  /// Compiles a plugin from the C files of a directory of the tree, such as `Tests/BrokenPlugins/crash`; it gets the directory's name.
  @discardableResult
  package func compile(directory: String) throws -> String {
    let url = URL(fileURLWithPath: sourceRoot).appending(path: directory)
    let files = try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix(".c") }
    return try compile(files: files.map { url.appending(path: $0).path }, name: url.lastPathComponent)
  }

  private func compile(files: [String], name: String) throws -> String {
    let library = "\(path)/\(name).so"
    try shell(
      [
        "cc", "-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
        "-fvisibility=hidden", "-I\(sourceRoot)/Sources/Base/CTimelinePlugin/include", "-o", library,
      ] + files)
    unsafe chmod(library, 0o755)
    return library
  }
}

/// The directory of the package.
package let sourceRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().path

/// The programs under test, built beside the tests.
package enum BuiltProgram {
  /// The directory that the running tests lie in.
  package static let directory = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().path
  /// The host.
  package static let host = directory + "/timeline-host"
  /// The reader of calendars.
  package static let calendarReader = directory + "/timeline-calendar"
  /// The daemon.
  package static let daemon = directory + "/timelined"
  /// The operator's program.
  package static let control = directory + "/timelinectl"
}

/// Whether this process may do what only root may.
package let isRoot = geteuid() == 0
