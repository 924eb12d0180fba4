import ArgumentParser

/// A negative number where the command line takes none: the parser calls it an unknown option, or sees `-h` in `-2h`.
enum NegativeWord {
  /// Error that names the first such word among `words`; `nil` where `error` is about something else.
  static func error(in words: some Sequence<String>, for error: any Error) -> ValidationError? {
    // After this word everything is an argument, dashes and all.
    let words = Array(words.prefix { $0 != "--" })
    guard let word = words.first(where: { $0.first == "-" && $0.dropFirst().first?.isNumber == true }) else {
      return nil
    }
    let text = Timelinectl.fullMessage(for: error)
    let isUnknown = ["Unknown option '-", "Missing expected argument"].contains { text.contains($0) }
    let asksForHelp = words.contains { ["-h", "--help", "help", "--version"].contains($0) }
    guard isUnknown || (Timelinectl.exitCode(for: error).isSuccess && !asksForHelp) else { return nil }
    return ValidationError(
      "\(word): not an option: numbers, lengths of time and moments are not negative here (`2h ago` is a moment)"
    )
  }
}
