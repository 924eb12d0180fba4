import TimelineCore
import TimelineSystem

/// Former plugin hosts that stay as the parents of what their runs have left behind.
///
/// Nothing in the daemon ends them: neither the pools, nor a reload, nor a stop. They end by themselves when all of that has
/// ended, and are reaped here. When this daemon ends they become children of process 1.
final class LeftoverKeepers {
  private let loop: EventLoop
  private var keepers: [Int32: (process: any HostedProcess, job: JobName, watch: Watch?)] = [:]
  private var counts: [JobName: Int] = [:]

  init(loop: EventLoop) { self.loop = loop }

  /// Takes over a host that has left the pools after a run of this job; gives how many there are now of the job.
  func add(_ process: any HostedProcess, of job: JobName) -> Int {
    let number = process.pid
    // Without a watch, for want of descriptors, it stays a zombie once it has ended, until this daemon ends.
    let watch = try? loop.watch(process.handleRawValue, for: .reading) { [weak self] _ in self?.reap(number) }
    keepers[number] = (process, job, watch)
    counts[job, default: 0] += 1
    return counts[job] ?? 0
  }

  /// Whether the process of this number is one of them.
  func contains(_ number: Int32) -> Bool { keepers[number] != nil }

  private func reap(_ number: Int32) {
    guard let keeper = keepers[number], keeper.process.reap(killingGroup: false) != nil else { return }
    keeper.watch?.cancel()
    keepers[number] = nil
    let count = (counts[keeper.job] ?? 1) - 1
    counts[keeper.job] = count > 0 ? count : nil
  }
}
