internal import CTimelineSystem
internal import Glibc
package import TimelineCore

/// The event loop of one thread: it waits for descriptors and delays, and runs work deferred to the end of an iteration.
///
/// A loop and all that belongs to it stay on one thread; none of it is Sendable. Handlers are plain closures that must not block.
/// An *iteration* (in names, a turn) waits once and then calls, in this order:
/// - the handlers of ready descriptors, at most ``SystemLimits/eventsPerTurnMax``; the kernel reports the rest first in the next
///   iteration, so no descriptor can starve the others
/// - the delays that are due, in order of (deadline, registration)
/// - the work deferred to the end of the iteration
///
/// So an answer that arrives together with its timeout is handled first.
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
  /// Number of descriptors that were ready when the iteration began; zero between iterations.
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

  /// Runs iterations until ``stop()`` is called. If ``stop()`` was called before, returns at once.
  package func run() {
    while !isStopping { runOnce(timeout: nil) }
    isStopping = false
  }

  /// Makes ``run()`` return after the current iteration.
  package func stop() { isStopping = true }

  /// Runs iterations until `condition` holds, for at most `limit`. Returns whether `condition` holds at the end.
  package func run(atMost limit: ElapsedTime, until condition: () -> Bool) -> Bool {
    let deadline = SystemTime.monotonic() + limit
    while !condition() {
      let left = deadline - SystemTime.monotonic()
      guard left > .zero else { return false }
      runOnce(timeout: left)
    }
    return true
  }

  /// Runs one iteration. It waits at most `timeout` for something to do; `nil` sets no limit.
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

  /// Calls `handler` in every iteration in which `descriptor` is ready for `interest`, broken or closed, until the watch is
  /// cancelled.
  ///
  /// Level-triggered: the handler is called again as long as data are unread. The loop retains the watch, so releasing it
  /// elsewhere changes nothing. The caller still owns the descriptor, and cancels the watch *before* closing it. A regular file
  /// is refused (`EPERM`), because it is always ready.
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

  /// Calls `work` once, `elapsed` from now, unless cancelled before. If `elapsed` is not positive, calls `work` as soon as the
  /// descriptors that are ready then are served.
  @discardableResult
  package func after(_ elapsed: ElapsedTime, _ work: @escaping () -> Void) -> Delay {
    let ticket = delays.makeTicket()
    delays.insert(work, at: SystemTime.monotonic() + elapsed, ticket: ticket)
    return Delay(loop: self, ticket: ticket)
  }

  /// Calls `work` after everything else of this iteration, in the order of registration.
  ///
  /// Work registered by deferred work runs in the next iteration, which then does not wait.
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
    // A signal ends the wait early. The iteration then serves nothing, and the caller's next iteration waits again.
    if count == -1, errno == EINTR { return 0 }
    return Int(SystemCall.mustSucceed("epoll_pwait2") { count })
  }

  /// Sleeps until something is ready or `time` is over, and serves nothing; for code that the loop calls.
  package func sleep(atMost time: ElapsedTime) {
    guard time > .zero else { return }
    let epollNumber = epoll.rawValue
    // Not `events`, because the events of the current iteration are being served.
    var event = timeline_epoll_event()
    _ = unsafe timeline_epoll_wait(epollNumber, &event, 1, time.nanoseconds)
  }

  /// Calls the handlers of the first `count` events. Returns whether delays are due.
  private func serve(_ count: Int) -> Bool {
    var delaysAreDue = false
    for index in 0..<count {
      let event = events[index]
      if event.token == Self.timerToken {
        delaysAreDue = true
      } else if let watch = watches[event.token] {
        // An earlier handler of this iteration may have cancelled the watch. A token is never used twice.
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
    // Arming the timer before the next wait also clears its readiness. Reading it would cost one more call.
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
