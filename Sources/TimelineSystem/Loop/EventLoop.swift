internal import CTimelineSystem
internal import Glibc
package import TimelineCore

/// One thread's wait for everything: descriptors, delays and work put off to the end of the turn.
///
/// A loop and all that belongs to it stay on one thread; none of it is Sendable. Handlers are plain closures that must
/// not block. A *turn* waits once, then calls, in this order: the handlers of ready descriptors (at most
/// ``SystemLimits/eventsPerTurnMax``, so none can starve the others: the kernel hands the rest out first the next
/// time), the delays that have come due in order of (deadline, registration), and the end-of-turn work. So an answer
/// that arrives together with its timeout wins.
package final class EventLoop {
  private let epoll: FileDescriptor
  private let timer: FileDescriptor
  private var watches: [UInt64: Watch] = [:]
  private var tokenNext: UInt64 = 1
  private var delays = DelayQueue<MonotonicInstant, () -> Void>()
  private var armedDeadline: MonotonicInstant?
  private var endOfTurn: [() -> Void] = []
  private var events = [timeline_epoll_event](
    repeating: timeline_epoll_event(), count: SystemLimits.eventsPerTurnMax)
  private var isStopping = false
  private var isInTurn = false
  /// Number of descriptors that were ready when the turn began; zero between turns.
  package private(set) var readyCount = 0

  /// The token of the loop's own timer.
  private static let timerToken: UInt64 = 0

  /// Makes a loop; it has nothing to wait for yet.
  package init() throws(SystemError) {
    let epoll = FileDescriptor(owning: try SystemCall.check("epoll_create1") { timeline_epoll_create() })
    let timer = FileDescriptor(
      owning: try SystemCall.check("timerfd_create") { timeline_timer_create_monotonic() })
    let (epollNumber, timerNumber) = (epoll.rawValue, timer.rawValue)
    try SystemCall.check("epoll_ctl", about: "a timer") {
      timeline_epoll_add(epollNumber, timerNumber, timeline_epoll_in, Self.timerToken)
    }
    self.epoll = epoll
    self.timer = timer
  }

  /// Takes turns until ``stop()``; a call of it before this one makes it return at once.
  package func run() {
    while !isStopping { runOnce(timeout: nil) }
    isStopping = false
  }

  /// Makes ``run()`` return after the turn that is under way.
  package func stop() { isStopping = true }

  /// Takes turns until `condition` holds, for at most `limit`; whether it holds at the end.
  package func run(atMost limit: ElapsedTime, until condition: () -> Bool) -> Bool {
    let deadline = SystemTime.monotonic() + limit
    while !condition() {
      let left = deadline - SystemTime.monotonic()
      guard left > .zero else { return false }
      runOnce(timeout: left)
    }
    return true
  }

  /// Takes one turn, waiting at most `timeout` (`nil`: until something happens) for something to do.
  ///
  /// Returns whether a descriptor or a delay was served. A handler must not call it.
  @discardableResult
  package func runOnce(timeout: ElapsedTime?) -> Bool {
    precondition(!isInTurn, "A handler must not take a turn of its own loop.")
    isInTurn = true
    defer { (isInTurn, readyCount) = (false, 0) }
    armTimer()
    let limit = delays.makeTicket()
    let count = wait(for: endOfTurn.isEmpty ? timeout.map { max($0, .zero) } : .zero)
    readyCount = count
    if serve(count) { runDueDelays(registeredBefore: limit) }
    runEndOfTurn()
    return count > 0
  }

  /// Calls `handler` on every turn in which `descriptor` is ready for `interest`, broken or closed, until cancelled.
  ///
  /// Level-triggered: whoever leaves data unread is called again. The loop keeps the watch; dropping it changes nothing.
  /// The descriptor stays the caller's, who cancels the watch *before* closing it. A regular file is refused (`EPERM`):
  /// it is always ready.
  @discardableResult
  package func watch(
    _ descriptor: CInt, for interest: Interest, _ handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> Watch {
    let token = tokenNext
    let epollNumber = epoll.rawValue
    try SystemCall.check("epoll_ctl", about: "descriptor \(descriptor)") {
      timeline_epoll_add(epollNumber, descriptor, interest.epoll, token)
    }
    tokenNext += 1
    let watch = Watch(loop: self, descriptor: descriptor, token: token, interest: interest, handler: handler)
    watches[token] = watch
    return watch
  }

  /// Calls `work` once, `elapsed` from now (once what is ready by then is served, when that is not positive), unless cancelled
  /// before.
  @discardableResult
  package func after(_ elapsed: ElapsedTime, _ work: @escaping () -> Void) -> Delay {
    let ticket = delays.makeTicket()
    delays.insert(work, at: SystemTime.monotonic() + elapsed, ticket: ticket)
    return Delay(loop: self, ticket: ticket)
  }

  /// Calls `work` when everything else of this turn is done, in the order in which it was put off.
  ///
  /// Work that this work puts off belongs to the next turn, which then does not wait.
  package func atEndOfTurn(_ work: @escaping () -> Void) { endOfTurn.append(work) }

  /// Number of waiting delays, for tests.
  package var delayCount: Int { delays.count }
}

extension EventLoop {
  func change(_ watch: Watch, to interest: Interest) {
    let (epollNumber, token) = (epoll.rawValue, watch.token)
    let descriptor = watch.descriptor
    SystemCall.mustSucceed("epoll_ctl") {
      timeline_epoll_change(epollNumber, descriptor, interest.epoll, token)
    }
  }

  func remove(_ watch: Watch) {
    guard watches.removeValue(forKey: watch.token) != nil else { return }
    let epollNumber = epoll.rawValue
    let descriptor = watch.descriptor
    SystemCall.mustSucceed("epoll_ctl") { timeline_epoll_remove(epollNumber, descriptor) }
  }

  func removeDelay(_ ticket: DelayQueue<MonotonicInstant, () -> Void>.Ticket) -> Bool {
    delays.remove(ticket) != nil
  }

  private func wait(for patience: ElapsedTime?) -> Int {
    let epollNumber = epoll.rawValue
    let nanoseconds = patience?.nanoseconds ?? -1
    let count = unsafe events.withUnsafeMutableBufferPointer { buffer in
      unsafe timeline_epoll_wait(epollNumber, buffer.baseAddress, CInt(buffer.count), nanoseconds)
    }
    // A signal ends the wait early; the turn then serves nothing, and whoever takes turns waits again.
    if count == -1, errno == EINTR { return 0 }
    return Int(SystemCall.mustSucceed("epoll_pwait2") { count })
  }

  /// Sleeps until something is ready or `time` is over, and serves nothing: for those who are called by the loop.
  package func sleep(atMost time: ElapsedTime) {
    guard time > .zero else { return }
    let epollNumber = epoll.rawValue
    // Not the events of the turn, which are being served.
    var event = timeline_epoll_event()
    _ = unsafe timeline_epoll_wait(epollNumber, &event, 1, time.nanoseconds)
  }

  /// Calls the handlers of the first `count` events; whether delays have come due.
  private func serve(_ count: Int) -> Bool {
    var delaysAreDue = false
    for index in 0..<count {
      let event = events[index]
      if event.token == Self.timerToken {
        delaysAreDue = true
      } else if let watch = watches[event.token] {
        // An earlier handler of this turn may have cancelled the watch; a token is never used twice.
        watch.deliver(Readiness(epoll: event.events))
      }
    }
    return delaysAreDue
  }

  private func armTimer() {
    guard delays.next != armedDeadline else { return }
    let timerNumber = timer.rawValue
    if let deadline = delays.next {
      SystemCall.mustSucceed("timerfd_settime") {
        timeline_timer_arm(timerNumber, deadline.nanosecondsSinceBoot, 0)
      }
    } else {
      SystemCall.mustSucceed("timerfd_settime") { timeline_timer_disarm(timerNumber) }
    }
    armedDeadline = delays.next
  }

  private func runDueDelays(registeredBefore limit: DelayQueue<MonotonicInstant, () -> Void>.Ticket) {
    // The timer is re-armed before the next wait, which also clears its readiness: reading it would be one call more.
    armedDeadline = nil
    let now = SystemTime.monotonic()
    for _ in 0..<SystemLimits.delaysPerTurnMax {
      guard let (_, work) = delays.popDue(at: now, registeredBefore: limit) else { break }
      work()
    }
    if delays.next == nil {
      let timerNumber = timer.rawValue
      SystemCall.mustSucceed("timerfd_settime") { timeline_timer_disarm(timerNumber) }
    }
  }

  private func runEndOfTurn() {
    guard !endOfTurn.isEmpty else { return }
    let works = endOfTurn
    endOfTurn = []
    for work in works { work() }
  }
}
