import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

/// A host that an earlier daemon has left behind, assembled from the descriptors in the store.
struct InheritedHost {
  let name: String
  let process: ForeignProcess
  let socket: SeqPacket
  let output: ByteStream
  let file: MemoryFile
  let record: HandoffRecord

  /// Assembles the descriptors of one name, and owns all of them. If they are incomplete or invalid, closes them and
  /// throws.
  init(name: String, _ numbers: [CInt]) throws(HostFailure) {
    self.name = name
    // Each descriptor has an owner before any is checked, so an error closes all of them.
    let boxes = numbers.compactMap { number in
      DescriptorKind(of: number).map { (kind: $0, box: FileDescriptorBox(number)) }
    }
    var found: [DescriptorKind: FileDescriptorBox] = [:]
    for (kind, box) in boxes where found.updateValue(box, forKey: kind) != nil {
      throw HostFailure("it left two descriptors of a kind")
    }
    // Descriptors are counted before the first is taken, because a taken descriptor would have to be closed here.
    guard found.count == HostDescriptorStore.descriptorsPerHost, let socket = found[.socket]?.take(),
      let output = found[.pipe]?.take(), let file = found[.memory]?.take(), let handle = found[.other]?.take()
    else {
      throw HostFailure("it left \(found.count) of \(HostDescriptorStore.descriptorsPerHost) descriptors")
    }
    self.socket = SeqPacket(owning: FileDescriptor(owning: socket), messageBytesMax: WireLimits.messageMax)
    self.output = ByteStream(owning: FileDescriptor(owning: output))
    self.file = MemoryFile(adopting: FileDescriptor(owning: file))
    let ownedHandle = FileDescriptor(owning: handle)
    do {
      guard let bytes = try self.file.contents() else { throw HostFailure("it left no record of its run") }
      record = try HandoffRecord(decoding: bytes)
    } catch let error as WireError {
      self.socket.hangUp()
      throw HostFailure(error.description)
    } catch {
      self.socket.hangUp()
      throw HostFailure("\(error)")
    }
    process = ForeignProcess(pid: record.process, handle: ownedHandle)
  }

  /// Kind of the run's host, as far as it is recorded.
  var kind: HostSpec {
    var setup = HostSetup()
    setup.leftovers = record.leftovers
    return HostSpec(pluginPath: record.pluginPath, user: record.user, setup: setup)
  }

  /// Closes the host's socket, so that the host closes its instance and ends. If the plugin hangs, the host kills itself.
  func dismiss() {
    socket.hangUp()
    output.close()
  }

  /// Kills the host and all its descendants.
  func kill() {
    process.killTree()
    dismiss()
  }
}

/// A descriptor in transfer to its owner; closed if no owner takes it.
private final class FileDescriptorBox {
  private var number: CInt?

  init(_ number: CInt) { self.number = number }

  deinit {
    if let number { _ = FileDescriptor(owning: number) }
  }

  func take() -> CInt? {
    defer { number = nil }
    return number
  }
}

extension HandoffRecord.Run {
  /// Whether this is the latest attempt of the run in `open`.
  func isAttempt(of open: OpenRun) -> Bool {
    number == open.run.number && job == open.entry.job && nominal == open.entry.nominal
      && attempt == UInt32(clamping: open.attempts)
  }
}
