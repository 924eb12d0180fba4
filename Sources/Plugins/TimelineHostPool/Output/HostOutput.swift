import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

/// Output of a host and of its child processes, line by line, attributed to the host's run and within the log budget of the
/// host.
///
/// Lines beyond the budget are held. They are passed on as the budget refills, and the last lines when the run ends. So the
/// beginning and the end of a flood are kept, and the middle is dropped and counted.
final class HostOutput {
  private struct Line {
    let source: PluginLine.Source
    let level: PluginLine.Level
    let message: String
    var fields: [PluginLine.Field] = []
  }

  private let pluginPath: String
  private let stream: ByteStream
  private unowned let pools: PluginHosts
  private var splitter = LineSplitter(lengthMax: WireLimits.textMax)
  private var budget: LogBudget
  private var tail = HeldOutput<Line>()
  private var run: PluginRun?
  private var streamWatch: Watch?
  private var pause: Delay?
  private var release: Delay?

  init(pluginPath: String, stream: ByteStream, pools: PluginHosts) {
    self.pluginPath = pluginPath
    self.stream = stream
    self.pools = pools
    budget = LogBudget(limits: pools.configuration.outputLimits)
  }

  /// The descriptor that is read.
  var streamRawValue: CInt { stream.rawValue }

  /// Whether the host has written more than may be passed on now.
  var isSpent: Bool { budget.isSpent }

  func watch() throws(SystemError) {
    streamWatch = try pools.loop.watch(stream.rawValue, for: .reading) { [weak self] _ in
      self?.streamIsReady()
    }
  }

  /// Attributes further output to this run.
  func beginRun(_ run: PluginRun) {
    self.run = run
    budget.beginRun()
  }

  /// Passes on the output of the run so far and reports the number of dropped bytes.
  func endRun() {
    guard stream.rawValue >= 0 else { return }
    // Most runs print nothing. This check needs less memory than the buffer for a pipe's content.
    if stream.hasBytes { _ = read() }
    splitter.flush { print($0) }
    passOnAll()
    run = nil
  }

  /// Passes on a line from the plugin's call of `log`.
  func log(_ line: LogLine) {
    let level = PluginLine.Level(rawValue: line.level.rawValue) ?? .info
    let fields = line.fields.map { PluginLine.Field(key: $0.key, value: $0.value) }
    pass(Line(source: .log, level: level, message: line.message, fields: fields), length: line.length)
  }

  /// Whether progress with this text may be passed on; if so, the budget is charged.
  func admitsProgress(_ text: String) -> Bool {
    budget.admit(progressOf: text.utf8.count, at: SystemTime.monotonic())
  }

  /// Counts bytes that the host itself has dropped.
  func count(droppedBytes: UInt64) { budget.drop(bytes: Int(clamping: droppedBytes)) }

  func close() {
    pause?.cancel()
    release?.cancel()
    streamWatch?.cancel()
    stream.close()
  }

  private func streamIsReady() {
    guard read() else {
      streamWatch?.cancel()
      return
    }
    guard isSpent, pause == nil else { return }
    // The pipe is drained so that the plugin is not blocked, but at a limited rate so that the loop has time for other
    // work.
    streamWatch?.update([])
    pause = pools.loop.after(TurnLimits.drainPause) { [weak self] in
      self?.pause = nil
      self?.streamWatch?.update(.reading)
    }
  }

  /// Reads the pipe, as much as one iteration of the loop allows. Returns false at the end of the pipe.
  private func read() -> Bool {
    switch Result(catching: { () throws(SystemError) in try stream.read(atMost: TurnLimits.outputBytesMax) })
    {
    case .success(.bytes(let bytes)):
      take(bytes)
      return true
    case .success(.wouldBlock): return true
    case .success(.endOfFile), .failure: return false
    }
  }

  private func take(_ bytes: [UInt8]) {
    let spare = bytes.count - TurnLimits.floodBytesMax
    guard spare > 0, !tail.isEmpty || !budget.mayPass(at: SystemTime.monotonic()) else {
      return splitter.feed(bytes) { print($0) }
    }
    // Splitting a flood into lines would block the loop, and most lines would be dropped anyway.
    budget.drop(bytes: spare + splitter.lose())
    splitter.feed(Array(bytes[spare...])) { print($0) }
  }

  private func print(_ text: String) {
    pass(Line(source: .output, level: .info, message: text), length: text.utf8.count)
  }

  private func pass(_ line: Line, length: Int) {
    let now = SystemTime.monotonic()
    if tail.isEmpty, budget.admit(length: length, at: now) {
      report(droppedBytes: budget.takeDroppedBytes(dueAt: now))
      report(line)
    } else {
      budget.drop(bytes: tail.append(line, length: length))
      passOn(at: now)
    }
  }

  /// Passes on the oldest held lines that the budget admits.
  private func passOn(at now: MonotonicInstant) {
    while let length = tail.firstLength, budget.admit(length: length, at: now), let line = tail.popFirst() {
      report(droppedBytes: budget.takeDroppedBytes(dueAt: now))
      report(line)
    }
    guard !tail.isEmpty, release == nil else { return }
    // A program that writes nothing more causes no wake-up, so a timer releases the held lines.
    release = pools.loop.after(TurnLimits.releasePause) { [weak self] in
      guard let self else { return }
      release = nil
      passOn(at: SystemTime.monotonic())
    }
  }

  /// Passes on all held lines: the last lines of a run usually contain the reason of its failure.
  private func passOnAll() {
    release?.cancel()
    release = nil
    report(droppedBytes: budget.takeDroppedBytes())
    while let length = tail.firstLength, let line = tail.popFirst() {
      budget.charge(length: length)
      report(line)
    }
  }

  private func report(droppedBytes dropped: Int64) {
    guard dropped > 0 else { return }
    let limits = pools.configuration.outputLimits
    let limit = "\(limits.burstLines) lines at once, \(limits.linesPerSecond) lines/s"
    report(
      Line(
        source: .pools, level: .warning, message: DroppedOutput.text(bytes: dropped, limit: limit),
        fields: [DroppedOutput.field(bytes: dropped)]))
  }

  private func report(_ line: Line) {
    pools.report(
      .line(
        PluginLine(
          run: run?.run, job: run?.job, pluginPath: pluginPath, source: line.source, level: line.level,
          message: line.message, fields: line.fields)))
  }
}
