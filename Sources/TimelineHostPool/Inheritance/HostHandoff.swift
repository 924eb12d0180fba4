import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

/// Hand-off of one plugin host: its descriptors in the store, and the record of its run.
///
/// The record must never promise more than is true, or the next daemon would wait for an end that nobody will tell. So a
/// run is noted after the host has its message, and its end before the message that tells it is taken from the socket:
/// wherever the daemon dies in between, the next one either collects the run or knows that it cannot.
final class HostHandoff {
  private let keeper: HostDescriptorStore
  private let file: MemoryFile
  private var record: HandoffRecord
  /// Whether the keeper has what it takes.
  private(set) var isKept = true

  private var name: String { HostDescriptorStore.name(ofProcess: record.process) }

  /// Has a host of ours kept; `nil` when that cannot be.
  init?(of process: any HostedProcess, kind: HostSpec, descriptors: [CInt], by keeper: HostDescriptorStore) {
    guard
      let record = try? HandoffRecord(
        process: process.pid, pluginPath: kind.pluginPath, user: kind.user, leftovers: kind.setup.leftovers),
      let file = try? MemoryFile(name: "timelined: \(HostDescriptorStore.name(ofProcess: process.pid))"),
      (try? file.replace(record.encoded())) != nil
    else { return nil }
    self.keeper = keeper
    self.record = record
    self.file = file
    guard keeper.keep(descriptors + [process.handleRawValue, file.rawValue], name) else { return nil }
  }

  /// Goes on with a host that is kept already.
  init(adopting record: HandoffRecord, in file: MemoryFile, by keeper: HostDescriptorStore) {
    self.keeper = keeper
    self.record = record
    self.file = file
  }

  /// The host has the message that calls the plugin.
  func begin(_ run: PluginRun) {
    record.running = HandoffRecord.Run(
      number: run.run.number, job: run.job, nominal: run.attempt.entry.nominal,
      attempt: UInt32(clamping: run.attempt.number))
    write()
  }

  /// Whether the end of a run is awaited, so that what the host says next may be that.
  var isRunning: Bool { record.running != nil }

  /// The host is about to be heard saying this.
  func hear(_ end: RunEnd) {
    guard let run = record.running, end.run == run.number else { return }
    record.ending = HandoffRecord.Ending(run: run, end: end)
    record.running = nil
    write()
  }

  /// Has the keeper close its copies: the host is gone, or is to go.
  func forget() {
    guard isKept else { return }
    isKept = false
    keeper.forget(name)
  }

  private func write() {
    guard isKept else { return }
    do {
      try file.replace(record.encoded())
    } catch {
      // An old record would be wrong. The host then goes with the daemon, as it would without a keeper.
      forget()
    }
  }
}
