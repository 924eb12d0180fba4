import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

/// A host that an earlier daemon has left behind, put together from what the keeper had.
struct InheritedHost {
  let name: String
  let process: ForeignProcess
  let socket: SeqPacket
  let output: ByteStream
  let file: MemoryFile
  let record: HandoffRecord

  /// Puts together the descriptors of one name; takes all of them. Throws what is wrong with them, and then they are closed.
  init(name: String, _ numbers: [CInt]) throws(HostFailure) {
    self.name = name
    // Each has an owner before any is judged: whatever is thrown, all of them are closed.
    let boxes = numbers.compactMap { number in
      DescriptorKind(of: number).map { (kind: $0, box: FileDescriptorBox(number)) }
    }
    var found: [DescriptorKind: FileDescriptorBox] = [:]
    for (kind, box) in boxes where found.updateValue(box, forKey: kind) != nil {
      throw HostFailure("it left two descriptors of a kind")
    }
    // Counted before any is taken: whoever takes one has to close it.
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

  /// Kind of its host, as far as it is recorded.
  var kind: HostSpec {
    var setup = HostSetup()
    setup.leftovers = record.leftovers
    return HostSpec(pluginPath: record.pluginPath, user: record.user, setup: setup)
  }

  /// Ends the host, which closes its instance, and is killed if it does not.
  func dismiss() {
    socket.hangUp()
    output.close()
  }

  /// Ends the host and all that it has started at once.
  func kill() {
    process.killTree()
    dismiss()
  }
}

/// A number on its way to its owner; closed if it does not get there.
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
  /// Whether this is the latest attempt of that run.
  func isAttempt(of open: OpenRun) -> Bool {
    number == open.run.number && job == open.entry.job && nominal == open.entry.nominal
      && attempt == UInt32(clamping: open.attempts)
  }
}
