import TimelineCore
import TimelineStoreWire
import TimelineSystem

/// Operators' questions to the cluster's store, one at a time. They have an adapter of their own, so that a long question does
/// not delay the renewal of the lease.
final class StoreQuestions {
  /// Receives the answer to a question.
  typealias Completion = (Result<StoreReply, StoreFailure>) -> Void

  private let caller: StoreCaller
  private let loop: EventLoop
  private lazy var adapter = makeAdapter { [weak self] number, result in self?.take(number, result) }
  private let makeAdapter: (@escaping (UInt64, Result<StoreReply, StoreFailure>) -> Void) -> StoreAdapter
  private var waiting = Queue<(call: StoreCall, completion: Completion)>()
  private var current: (number: UInt64, completion: Completion, limit: Delay)?
  private var lastNumber: UInt64 = 0

  /// Timeout of a question.
  private static let limit = ElapsedTime.seconds(5)
  /// Largest number of questions that wait.
  private static let waitingMax = 32

  init(
    _ caller: StoreCaller, loop: EventLoop,
    adapter: @escaping (@escaping (UInt64, Result<StoreReply, StoreFailure>) -> Void) -> StoreAdapter
  ) {
    (self.caller, self.loop, makeAdapter) = (caller, loop, adapter)
  }

  /// Asks the store; `completion` is called once, later.
  func ask(_ call: StoreCall, _ completion: @escaping Completion) {
    guard waiting.count < Self.waitingMax else {
      loop.after(.zero) {
        completion(.failure(StoreFailure(.unavailable, "\(Self.waitingMax) questions to it wait already")))
      }
      return
    }
    waiting.append((call, completion))
    askNext()
  }

  private func askNext() {
    guard current == nil, let (call, completion) = waiting.popFirst() else { return }
    lastNumber += 1
    let number = lastNumber
    let limit = loop.after(Self.limit) { [weak self] in
      self?.adapter.end()
      self?.take(number, .failure(StoreFailure(.undecided, "it has not answered within \(Self.limit)")))
    }
    current = (number, completion, limit)
    adapter.send(StoreRequest(id: number, caller, call))
  }

  private func take(_ number: UInt64, _ result: Result<StoreReply, StoreFailure>) {
    guard let asked = current, asked.number == number else { return }
    current = nil
    asked.limit.cancel()
    asked.completion(result)
    askNext()
  }

  /// Ends the adapter.
  func end() { adapter.end() }
}
