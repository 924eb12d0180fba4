internal import TimelineSystem
internal import TimelineWire

/// The directory in which a plugin is called.
///
/// It is entered for each call, because a deploy may switch the symbolic link that its path names, and left after it, because
/// an idle host must not keep a file system from being unmounted.
struct Workplace {
  /// The job's directory; `nil` for the root directory.
  var directory: String?

  /// Calls `body` in the directory; afterwards the process stands in the root directory, wherever `body` went.
  func call<Result>(_ body: () -> Result) throws(SystemError) -> Result {
    if let directory { try CurrentProcess.enterDirectory(directory) }
    defer { Self.leave() }
    return body()
  }

  /// Stands in the root directory.
  static func leave() {
    // The root directory can be entered by everybody; where it cannot, the next call says so.
    try? CurrentProcess.enterDirectory("/")
  }

  /// The reason why a call was not made, and what to do.
  static func text(_ error: SystemError) -> String {
    let remedy =
      error.isMissing
      ? "create it, or correct `working-directory`"
      : "let the job's user enter it and every directory above it"
    return "working directory \(error.subject): \(error.reason.lowercased()): \(remedy)"
  }
}

extension OpenFailure {
  /// The failure to enter the job's directory, which may be there the next time.
  init(entering error: SystemError) {
    self.init(status: .failedForNow, text: Workplace.text(error))
  }
}

extension RunEnd {
  /// The end of a run that was not called, because the job's directory could not be entered; it may be there the next time.
  init(run: UInt64, entering error: SystemError) {
    let text = Workplace.text(error)
    self = (try? RunEnd(run: run, status: .failedForNow, text: text)) ?? RunEnd(run: run, failure: text)
  }
}
