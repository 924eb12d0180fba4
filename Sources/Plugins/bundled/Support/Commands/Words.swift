import CCommand
import Glibc

/// A NULL-terminated vector of C strings that owns its strings.
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
