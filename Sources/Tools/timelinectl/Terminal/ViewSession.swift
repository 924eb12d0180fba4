import ArgumentParser
import Glibc
import TimelineCore
import TimelineSystem
import TimelineTerminal

/// A view on the terminal: one loop for keys, signals, time, and descriptors of its owner.
final class ViewSession {
  private(set) var view: TerminalView
  /// The loop, to which the owner adds its descriptors.
  let loop: EventLoop
  private var screen: Screen
  private var signals: SignalSource?
  /// The signal that ended the view; `nil` for another end.
  private var lastSignal: Signal?
  private(set) var isOver = false
  /// Performs a request of the view other than `quit`.
  var perform: (ViewRequest) -> Void = { _ in }

  /// Signals that end the view.
  private static let ending: [Signal] = [.terminate, .interrupt, .hangUp]

  /// Opens the terminal and shows the view that `make` returns for its size.
  init(_ make: (ScreenSize) throws -> TerminalView) throws {
    loop = try EventLoop()
    guard let screen = Screen() else {
      let type = CurrentProcess.environment["TERM"] ?? ""
      throw fail(
        "timelinectl: error: terminal of type \"\(type.printable)\": unknown: set TERM, or print lines with --lines",
        status: .usage)
    }
    view = try make(screen.size)
    self.screen = screen
    signals = try SignalSource(
      loop: loop, signals: Self.ending + [.keyboardStop, .windowChange]
    ) { [unowned self] signal in receive(signal) }
    try loop.watch(STDIN_FILENO, for: .reading) { [unowned self] readiness in
      readKeys()
      if !readiness.isDisjoint(with: [.hangUp, .failure]) { isOver = true }
    }
    draw()
  }

  /// Serves keys, signals and time until the view is over.
  func run() {
    while !isOver { turn(atMost: nil) }
  }

  /// Runs one iteration of the loop and shows the changes. Waits at most `limit`, and less if the picture moves by
  /// itself.
  func turn(atMost limit: ElapsedTime?) {
    var wait = limit
    if view.isBusy { wait = .zero } else if view.isMoving { wait = min(view.pictureInterval, limit ?? .max) }
    loop.runOnce(timeout: wait)
    handle(.tick)
    draw()
  }

  /// Passes an event to the view and performs its requests.
  func handle(_ event: ViewEvent) {
    for request in view.handle(event, at: Self.base) {
      if request == .quit { isOver = true } else { perform(request) }
    }
  }

  /// Releases the terminal. After a signal the program ends by the same signal.
  func end() {
    screen.close()
    signals = nil
    if let lastSignal { raise(lastSignal.rawValue) }
  }

  /// The base clock of views: it does not go back when the system clock is set.
  static var base: WallInstant {
    WallInstant(nanosecondsSinceEpoch: SystemTime.monotonic().nanosecondsSinceBoot)
  }

  private func draw() {
    if !isOver { screen.show(TerminalPicture.draw(view, screen.capabilities)) }
  }

  private func readKeys() {
    for key in screen.keys() where !isOver { handle(.key(key)) }
  }

  private func receive(_ signal: Signal) {
    switch signal {
    case .windowChange: handle(.resized(screen.size))
    case .keyboardStop:
      screen.close()
      // Execution continues here when the process is continued.
      raise(Signal.stop.rawValue)
      screen.reopen()
      handle(.resized(screen.size))
    default:
      lastSignal = signal
      isOver = true
    }
  }
}
