import ArgumentParser
import TimelineCore
import TimelineLoading
import TimelineSystem

/// Asks plugins who they are, each in a host of its own, which is the only judge of whether a plugin can be run.
struct PluginDescriber {
  /// The end of a description.
  enum Answer {
    /// The host's JSON.
    case described(String)
    /// The host refused it, in these words; empty where it has said them on standard error.
    case refused(String, status: Int32)
    /// It crashed while it was loaded.
    case crashed(Signal)
    /// It was not loaded in time.
    case late
    /// Nobody saw how the host ended.
    case unobserved
  }

  /// The `timeline-host` program.
  let hostPath: String
  /// Time to load.
  let limit: ElapsedTime
  /// Whether the host's words are part of the answer instead of on standard error.
  let keepsWords: Bool

  /// Loads the plugin in `file` and asks.
  func describe(_ file: String, _ words: [String] = []) throws -> Answer {
    let (reading, writing) = try ByteStream.pipe()
    let (hearing, saying) = try ByteStream.pipe()
    let child: ChildProcess
    do {
      child = try ChildProcess.spawn(
        executable: hostPath, arguments: ["--describe", CurrentProcess.absolutePath(file)] + words,
        // The daemon does the same: Swift's handler of crashes would write pages, and lets a raised signal pass.
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

  /// Everything up to the end of `stream`; `nil` when the end has not come by `deadline`.
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
