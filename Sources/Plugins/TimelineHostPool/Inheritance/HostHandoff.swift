import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

/// Hand-off of one plugin host: its descriptors in the store, and the record of its run.
///
/// The record must never show a run whose end cannot be received, because the next daemon would wait for that end forever.
/// So a run is recorded after the host has its message, and its end is recorded before the message with the end is removed
/// from the socket. If the daemon dies in between, the next daemon either receives the end of the run or detects from the
/// record that it cannot.
final class HostHandoff {
  private let keeper: HostDescriptorStore
  private let file: MemoryFile
  private var record: HandoffRecord
  /// Whether the store has the descriptors.
  private(set) var isKept = true

  private var name: String { HostDescriptorStore.name(ofProcess: record.process) }

  /// Stores the descriptors of a host of this daemon; `nil` when that fails.
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

  /// Continues with a host whose descriptors are already in the store.
  init(adopting record: HandoffRecord, in file: MemoryFile, by keeper: HostDescriptorStore) {
    self.keeper = keeper
    self.record = record
    self.file = file
  }

  /// Records that the host has the message that calls the plugin.
  func begin(_ run: PluginRun) {
    record.running = HandoffRecord.Run(
      number: run.run.number, job: run.job, nominal: run.attempt.entry.nominal,
      attempt: UInt32(clamping: run.attempt.number))
    write()
  }

  /// Whether the end of a run is awaited, so that the next message of the host may be that end.
  var isRunning: Bool { record.running != nil }

  /// Records the end of a run before its message is removed from the socket.
  func hear(_ end: RunEnd) {
    guard let run = record.running, end.run == run.number else { return }
    record.ending = HandoffRecord.Ending(run: run, end: end)
    record.running = nil
    write()
  }

  /// Closes the copies in the store, because the host has ended or is to end.
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
      // An outdated record would mislead the next daemon. Without a record, the host ends with this daemon.
      forget()
    }
  }
}
