internal import CTimelineSystem

/// A thread of this program, for the few tasks that need one of their own.
enum Thread {
  /// Starts a thread called `name` (at most 15 bytes) that runs `body` with every signal blocked, and then ends.
  static func start(name: String, _ body: sending @escaping () -> Void) throws(SystemError) {
    let context = unsafe Unmanaged.passRetained(Body(body))
    let code = unsafe timeline_thread_start(
      name,
      { raw in
        guard let raw = unsafe raw else { return }
        unsafe Unmanaged<Body>.fromOpaque(raw).takeRetainedValue().run()
      }, context.toOpaque())
    if code != 0 { unsafe context.release() }
    try SystemCall.checkCode("pthread_create", about: "thread \(name)", code)
  }

  private final class Body {
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
  }
}
