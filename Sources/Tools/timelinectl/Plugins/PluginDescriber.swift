import ArgumentParser
import TimelineCore
import TimelineLoading
import TimelineSystem

/// Reads the descriptions of plugins, each in a host of its own; only a host can decide whether a plugin can be run.
struct PluginDescriber {
  /// The result of a description.
  enum Answer {
    /// The host's JSON.
    case described(String)
    /// The host refused the plugin with this message. The message is empty if the host has printed it to standard
    /// error.
    case refused(String, status: Int32)
    /// The host crashed while it loaded the plugin.
    case crashed(Signal)
    /// The plugin was not loaded in time.
    case late
    /// The end of the host was not observed.
    case unobserved
  }

  let hostPath: String
  /// Timeout for loading a plugin.
  let limit: ElapsedTime
  /// Whether the host's messages are part of the answer. Otherwise they go to standard error.
  let keepsWords: Bool

  /// Loads the plugin in `file` and returns its description.
  func describe(_ file: String, _ words: [String] = []) throws -> Answer {
    let (reading, writing) = try ByteStream.pipe()
    let (hearing, saying) = try ByteStream.pipe()
    let child: ChildProcess
    do {
      child = try ChildProcess.spawn(
        executable: hostPath, arguments: ["--describe", CurrentProcess.absolutePath(file)] + words,
        // As in the daemon: Swift's crash handler would write pages, and would ignore a raised signal.
        environment: CurrentProcess.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 },
        descriptors: [
          .init(writing.rawValue, as: 1), .init(keepsWords ? saying.rawValue : 2, as: 2),
        ])
    } catch {
      throw fail("error: \(hostPath): \(error.plainReason): install timeline-host, or correct --host")
    }
    writing.close()
    saying.close()
    let deadline = SystemTime.monotonic() + limit
    guard let answer = try readAll(reading, until: deadline), let said = try readAll(hearing, until: deadline)
    else {
      _ = try? child.signalGroup(.kill)
      _ = child.wait()
      return .late
    }
    return switch child.wait() {
    case .exited(0): .described(answer)
    case .exited(let status): .refused(said, status: status)
    case .signalled(let signal): .crashed(signal)
    case .unobserved: .unobserved
    }
  }

  /// Everything up to the end of `stream`; `nil` if `deadline` is reached before the end.
  private func readAll(_ stream: ByteStream, until deadline: MonotonicInstant) throws -> String? {
    var bytes: [UInt8] = []
    while true {
      switch try stream.read(atMost: 1 << 16) {
      case .bytes(let more): bytes += more
      case .wouldBlock:
        let left = max(deadline - SystemTime.monotonic(), .zero)
        guard try stream.wait(toWrite: false, atMost: left) else { return nil }
      case .endOfFile: return String(decoding: bytes, as: UTF8.self)
      }
    }
  }
}
