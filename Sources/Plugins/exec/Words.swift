import CExec
import Glibc

/// A NULL-terminated vector of C strings of its own.
final class Words {
  private(set) var vector: [UnsafeMutablePointer<CChar>?] = [nil]

  init(_ words: [String] = []) {
    vector.reserveCapacity(words.count + 1)
    for word in words { append(word) }
  }

  deinit { removeAll() }

  func append(_ word: String) {
    vector[vector.count - 1] = strdup(word)
    vector.append(nil)
  }

  func removeAll() {
    for word in vector { free(word) }
    vector.removeAll(keepingCapacity: true)
    vector.append(nil)
  }
}

/// The environment of a job's commands: what is the same for each, made once, and the few variables that tell of the run.
///
/// A run takes place in the middle of what people wait for; so nothing is sorted, merged or copied in it.
final class CommandEnvironment {
  /// Where programs without a slash are looked for.
  let searchPath: String
  private let common: Words
  private let own = Words()

  /// Merges the host's variables with the job's, which win; those that tell of a run are left out.
  init(host: [String: String], job: [String: String]) {
    let variables = host.merging(job) { _, own in own }
    searchPath = variables["PATH"] ?? ""
    common = Words(
      variables.filter { !Settings.runVariables.contains($0.key) }.map { "\($0.key)=\($0.value)" }.sorted())
  }

  /// Calls `body` with the variables of one run; they are gone when it returns.
  func with<Result>(
    _ variables: [(name: String, value: String)], _ body: (timelined_words?) throws -> Result
  ) rethrows -> Result {
    own.removeAll()
    for variable in variables { own.append("\(variable.name)=\(variable.value)") }
    return try (common.vector.dropLast() + own.vector).withUnsafeBufferPointer { try body($0.baseAddress) }
  }
}
