import CCommand
import Glibc
import TimelinePluginKit

/// The failure to start a command: the file, the reason and the remedy.
struct StartFailure {
  /// The path of the program as it was passed to the kernel.
  let path: String
  /// The parameter `working-directory`; `nil` if the job does not set it.
  let directory: String?
  /// Whether the reason is that the directory could not be entered.
  let isOfDirectory: Bool
  /// The errno value of the failure.
  let code: Int32

  /// The cause of the failure, and the remedy.
  typealias Finding = (fact: String, remedy: String)

  /// The failure with which the run ends. A temporary failure is worth a retry.
  var error: any Error {
    let text =
      isOfDirectory
      ? "working directory \(directory ?? ""): \(reason(code)): \(directoryRemedy)"
      : "\(path) was not started: \(finding.fact): \(finding.remedy)"
    return isPassing ? RetryableFailure(text) : Failure(text)
  }

  private var isPassing: Bool {
    // A deploy may be about to switch or create the directory.
    isOfDirectory || [EAGAIN, ENOMEM, EMFILE, ENFILE, ETXTBSY].contains(code)
  }

  private var directoryRemedy: String {
    switch code {
    case ENOENT: "create it, or correct `working-directory`"
    case ENOTDIR: "name a directory in `working-directory`"
    case EACCES: "let the job's user enter it and every directory above it"
    default: "correct `working-directory`"
    }
  }

  /// The program's absolute path. The kernel resolves a relative path from the working directory.
  private var absolutePath: String {
    guard !path.hasPrefix("/") else { return path }
    return "\(base)/\(path)"
  }

  private var base: String {
    if let directory { return directory }
    guard let name = getcwd(nil, 0) else { return "" }
    defer { free(name) }
    return String(cString: name)
  }

  private var finding: Finding {
    switch code {
    case ENOENT: missing
    case EACCES: forbidden
    case ENOEXEC: unknownFormat
    case ENOTDIR: ("a part of its path is not a directory", "correct `command`")
    case ETXTBSY: ("it is open for writing", "write it under another name, then rename it")
    case E2BIG:
      (
        "its arguments and environment are longer than the kernel takes",
        "pass them in a file or on standard input"
      )
    case ELOOP: ("too many symbolic links, or interpreters of interpreters", "repair the links")
    case EPERM: ("operation not permitted", "see `journalctl -k`: a security setting forbids it")
    case EAGAIN, ENOMEM, EMFILE, ENFILE: (reason(code), "the machine or a limit is exhausted")
    default: (reason(code), "correct `command`")
    }
  }

  private var missing: Finding {
    if let file = ProgramFile(absolutePath) {
      if file.hasCarriageReturn { return Self.carriageReturn }
      if let interpreter = file.interpreter {
        return (
          "the interpreter in its first line, \(interpreter), does not exist",
          "install it, or correct the line after #!"
        )
      }
      if file.isBinary {
        return (
          "the loader that it was built for does not exist here",
          "build it for this system, or install the loader's package"
        )
      }
      return (reason(code), "look at the interpreter in its first line")
    }
    if let link = Self.target(of: absolutePath) {
      return ("it is a symbolic link to \(link), which does not exist", "repair the link")
    }
    if let words = Self.wordsInOne(path) { return ("no such file", words) }
    if !path.hasPrefix("/") {
      return ("no such file below the working directory \(base)", "give an absolute path in `command`")
    }
    return (reason(code), "correct `command`, or install the program")
  }

  private var forbidden: Finding {
    guard let file = ProgramFile(absolutePath) else {
      return ("permission denied", "let the job's user enter every directory above it")
    }
    if file.isDirectory { return ("it is a directory", "name the program in it") }
    if !file.isRegular { return ("it is not a regular file", "name a program") }
    if timelined_is_noexec(absolutePath) != 0 {
      return ("it is on a file system that is mounted noexec", "move it, or mount that without noexec")
    }
    if !file.isExecutable { return ("it is not executable", "make it executable: chmod +x \(path)") }
    if access(absolutePath, X_OK) != 0 {
      return ("permission denied", "make it executable for the job's user")
    }
    if let interpreter = file.interpreter {
      return (
        "the interpreter in its first line, \(interpreter), cannot be executed",
        "correct the line after #!, or make that executable"
      )
    }
    return ("permission denied", "see `journalctl -k`: a security setting may forbid it")
  }

  private var unknownFormat: Finding {
    guard let file = ProgramFile(absolutePath) else { return (reason(code), "correct `command`") }
    if file.isEmpty { return ("it is an empty file", "write the program, or correct `command`") }
    if file.isBinary { return ("it was built for another kind of processor", "build it for this one") }
    return ("it has no #! line and is no binary program", "begin it with a line such as #!/bin/sh")
  }

  private static let carriageReturn: Finding = (
    "its first line ends with a carriage return (CR), as in files of Windows",
    "convert its line ends: sed -i 's/\\r$//' FILE"
  )

  /// Returns the remedy if the first word contains a blank, as in a command for a shell; otherwise `nil`.
  static func wordsInOne(_ word: String) -> String? {
    let parts = word.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    return
      "the first text of `command` has a blank in it: give each word as a text of its own, or run a shell: [\"/bin/sh\", \"-c\", \"...\"]"
  }

  /// Returns the reason if a shell or env exited with a status that means "cannot be executed" and the file shows why;
  /// otherwise `nil`.
  static func hint(status: Int64, of path: String) -> String? {
    guard status == 126 || status == 127, ProgramFile(path)?.hasCarriageReturn == true else { return nil }
    return "\(path): \(carriageReturn.fact): \(carriageReturn.remedy)"
  }

  private static func target(of path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = buffer.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return -1 }
      return readlink(path, start.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return length > 0 ? String(decoding: buffer[..<length], as: UTF8.self) : nil
  }
}

/// The system's text for an errno value, in lower case.
func reason(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
