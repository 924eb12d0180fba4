import Foundation
import Synchronization

/// Runs `body` while `count` threads compete with it for the processors; they have ended when it returns.
func withBusyLoops(count: Int, _ body: () async throws -> Void) async throws {
  let isOver = Flag()
  let ended = DispatchGroup()
  for _ in 0..<count {
    ended.enter()
    Thread.detachNewThread {
      while !isOver.isRaised {}
      ended.leave()
    }
  }
  defer {
    isOver.raise()
    ended.wait()
  }
  try await body()
}

private final class Flag: Sendable {
  private let value = Atomic(false)
  var isRaised: Bool { value.load(ordering: .relaxed) }
  func raise() { value.store(true, ordering: .relaxed) }
}
