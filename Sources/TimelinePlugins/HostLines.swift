import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

/// What a host and what it starts write, line by line, attributed to its run and within its allowance.
final class HostLines {
  private let pluginPath: String
  private let stream: ByteStream
  private unowned let pools: PluginHosts
  private var splitter = LineSplitter(lengthMax: WireLimits.textMax)
  private var allowance: LineAllowance
  private var run: PluginRun?
  private var streamWatch: Watch?
  private var pause: Delay?

  init(pluginPath: String, stream: ByteStream, pools: PluginHosts) {
    self.pluginPath = pluginPath
    self.stream = stream
    self.pools = pools
    allowance = LineAllowance(limits: pools.configuration.outputLimits)
  }

  /// The descriptor that is read.
  var streamRawValue: CInt { stream.rawValue }

  /// Whether the host has written more than may be passed on just now.
  var isSpent: Bool { allowance.isSpent }

  func watch() throws(SystemError) {
    streamWatch = try pools.loop.watch(stream.rawValue, for: .reading) { [weak self] _ in
      self?.streamIsReady()
    }
  }

  /// Attributes what follows to this run.
  func beginRun(_ run: PluginRun) {
    self.run = run
    allowance.beginRun()
  }

  /// Passes on what the run has printed so far and says how much was dropped.
  func endRun() {
    guard stream.rawValue >= 0 else { return }
    // Most runs print nothing, which is to be known for less than the memory for a pipe's content.
    if stream.hasBytes { _ = read() }
    splitter.flush { print($0) }
    report(droppedBytes: allowance.takeDroppedBytes())
    run = nil
  }

  /// Passes on a line of the plugin's own.
  func log(_ line: LogLine) {
    guard admit(line.message) else { return }
    let level = PluginLine.Level(rawValue: line.level.rawValue) ?? .info
    let fields = line.fields.map { PluginLine.Field(key: $0.key, value: $0.value) }
    report(.log, level, line.message, fields)
  }

  /// Counts what the host has left out.
  func count(droppedBytes: UInt64) { allowance.drop(bytes: Int(clamping: droppedBytes)) }

  func close() {
    pause?.cancel()
    streamWatch?.cancel()
    stream.close()
  }

  private func streamIsReady() {
    guard read() else {
      streamWatch?.cancel()
      return
    }
    guard isSpent, pause == nil else { return }
    // The pipe is drained, so that the plugin does not stand still, but at a rate that leaves the loop to others.
    streamWatch?.update([])
    pause = pools.loop.after(TurnLimits.drainPause) { [weak self] in
      self?.pause = nil
      self?.streamWatch?.update(.reading)
    }
  }

  /// Takes what is in the pipe, as much as one turn allows; false at its end.
  private func read() -> Bool {
    switch Result(catching: { () throws(SystemError) in try stream.read(atMost: TurnLimits.outputBytesMax) })
    {
    case .success(.bytes(let bytes)):
      if allowance.mayPass(at: SystemTime.monotonic()) {
        splitter.feed(bytes) { print($0) }
      } else {
        // Cutting a flood into lines, only to drop them, is what would starve the loop.
        allowance.drop(bytes: bytes.count)
        splitter.lose()
      }
      return true
    case .success(.wouldBlock): return true
    case .success(.endOfFile), .failure: return false
    }
  }

  private func print(_ text: String) {
    if admit(text) { report(.output, .info, text) }
  }

  private func admit(_ text: String) -> Bool {
    let now = SystemTime.monotonic()
    guard allowance.admit(length: text.utf8.count, at: now) else { return false }
    report(droppedBytes: allowance.takeDroppedBytes(dueAt: now))
    return true
  }

  private func report(droppedBytes dropped: Int64) {
    guard dropped > 0 else { return }
    let limits = pools.configuration.outputLimits
    report(
      .pools, .warning,
      "\(pluginPath): lines of \(dropped) bytes were dropped: at most \(limits.burstLines) lines at once and "
        + "\(limits.linesPerSecond) a second are kept; write less, or to a file")
  }

  private func report(
    _ source: PluginLine.Source, _ level: PluginLine.Level, _ message: String,
    _ fields: [PluginLine.Field] = []
  ) {
    pools.report(
      .line(
        PluginLine(
          run: run?.run, job: run?.job, pluginPath: pluginPath, source: source, level: level,
          message: message,
          fields: fields)))
  }
}
