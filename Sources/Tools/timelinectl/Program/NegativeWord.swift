import ArgumentParser

/// A negative number in the place of a non-negative one: the parser reports it as an unknown option, or reads `-2h` as `-h`.
enum NegativeWord {
  /// Error that names the first negative number among `words`; `nil` if `error` has another cause.
  static func error(in words: some Sequence<String>, for error: any Error) -> ValidationError? {
    // After this word everything is an argument, also with a leading dash.
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
