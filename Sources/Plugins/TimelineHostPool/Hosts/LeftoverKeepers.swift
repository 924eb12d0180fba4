import TimelineCore
import TimelineSystem

/// Former plugin hosts that stay as the parents of leftovers of their runs.
///
/// Neither the pools, nor a reload, nor a stop of the daemon ends such a host. It ends by itself when all its leftovers
/// have ended, and is reaped here. When the daemon ends, the host becomes a child of process 1.
final class LeftoverKeepers {
  private let loop: EventLoop
  private var keepers: [Int32: (process: any HostedProcess, job: JobName, watch: Watch?)] = [:]
  private var counts: [JobName: Int] = [:]

  init(loop: EventLoop) { self.loop = loop }

  /// Adds a host that has left the pools after a run of `job`. Returns the number of such hosts of the job.
  func add(_ process: any HostedProcess, of job: JobName) -> Int {
    let number = process.pid
    // Without a free descriptor for the watch, the process stays a zombie after its end until this daemon ends.
    let watch = try? loop.watch(process.handleRawValue, for: .reading) { [weak self] _ in self?.reap(number) }
    keepers[number] = (process, job, watch)
    counts[job, default: 0] += 1
    return counts[job] ?? 0
  }

  /// Whether the process with this number is one of these hosts.
  func contains(_ number: Int32) -> Bool { keepers[number] != nil }

  private func reap(_ number: Int32) {
    guard let keeper = keepers[number], keeper.process.reap(killingGroup: false) != nil else { return }
    keeper.watch?.cancel()
    keepers[number] = nil
    let count = (counts[keeper.job] ?? 1) - 1
    counts[keeper.job] = count > 0 ? count : nil
  }
}
