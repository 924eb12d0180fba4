internal import TimelineSystem
internal import TimelineWire

/// The working directory of a plugin's call.
///
/// The directory is entered for each call, because a deploy may switch the symbolic link that its path names. It is left
/// after each call, because an idle host must not prevent the unmounting of a file system.
struct WorkingDirectory {
  /// The job's directory; `nil` for the root directory.
  var directory: String?

  /// Calls `body` in the directory. Afterwards the working directory is the root directory, even if `body` changed it.
  func call<Result>(_ body: () -> Result) throws(SystemError) -> Result {
    if let directory { try CurrentProcess.enterDirectory(directory) }
    defer { Self.leave() }
    return body()
  }

  /// Changes to the root directory.
  static func leave() {
    // Every user may enter the root directory. If that fails, the next call reports it.
    try? CurrentProcess.enterDirectory("/")
  }

  /// Returns the reason why a call was not made, and the remedy.
  static func text(_ error: SystemError) -> String {
    let remedy =
      error.isMissing
      ? "create it, or correct `working-directory`"
      : "let the job's user enter it and every directory above it"
    return "working directory \(error.subject): \(error.reason.lowercased()): \(remedy)"
  }
}

extension OpenFailure {
  /// Makes the failure to enter the job's directory. The failure is worth a retry, because the directory may exist the next
  /// time.
  init(entering error: SystemError) {
    self.init(status: .failedForNow, text: WorkingDirectory.text(error))
  }
}

extension RunEnd {
  /// Makes the end of a run that was not called because the job's directory could not be entered. The failure is worth a
  /// retry, because the directory may exist the next time.
  init(run: UInt64, entering error: SystemError) {
    let text = WorkingDirectory.text(error)
    self = (try? RunEnd(run: run, status: .failedForNow, text: text)) ?? RunEnd(run: run, failure: text)
  }
}
