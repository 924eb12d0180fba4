internal import CTimelineSystem
internal import Glibc

/// A file in memory alone, which exists as long as a process has it open; it passes state from one process to the next.
///
/// Its contents are replaced as a whole. There are two places for them; a header of eight bytes holds the number of the
/// valid place and the length of its contents. If a process is killed during a replacement, the former contents stay valid.
///
/// Contents are replaced with every run of a plugin. So the first replacement maps the header and the first page of each
/// place, and contents that fit there need no system call from then on.
@safe package final class MemoryFile {
  private let descriptor: FileDescriptor
  /// The number to pass to another process.
  package var rawValue: CInt { descriptor.rawValue }
  private var place: UInt32 = 0
  private var memory: UnsafeMutableRawPointer?
  private var hasTriedToMap = false

  /// Largest contents: a message or two. The places lie this far apart; unused bytes take no memory.
  package static let contentsMax = 128 * 1024
  /// Offset of the first place. The header of eight bytes before it lies in one page, so that it changes all at once.
  private static let firstPlace = 4096
  /// The mapped bytes of each place; the kernel has reserved their memory before.
  private static let mappedBytes = 4096

  /// Makes an empty file; `name` is shown below `/proc`. The C function is `memfd_create`.
  package init(name: String) throws(SystemError) {
    descriptor = FileDescriptor(
      owning: try SystemCall.check("memfd_create", about: name) { unsafe timeline_memory_file(name) })
  }

  /// Takes over a file that another process has made.
  package init(adopting descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
    place = (try? header())?.place ?? 0
  }

  deinit {
    if let memory = unsafe memory { unsafe timeline_memory_unmap(memory, Self.mapLength) }
  }

  /// Replaces the contents. Throws `EFBIG` for more than ``contentsMax`` bytes.
  package func replace(_ bytes: [UInt8]) throws(SystemError) {
    guard bytes.count <= Self.contentsMax else {
      throw SystemError(code: EFBIG, call: "pwrite", subject: "a file in memory")
    }
    let next = 1 - place
    if let memory = unsafe memory, bytes.count <= Self.mappedBytes {
      // In C, because a process that reads the file after this one was killed must not see the header before the contents.
      unsafe bytes.withUnsafeBytes {
        unsafe timeline_memory_replace(
          memory, next, Self.offset(of: next), $0.baseAddress, UInt32(bytes.count))
      }
      return place = next
    }
    try write(bytes, at: Self.offset(of: next))
    var header: [UInt8] = []
    for value in [next, UInt32(bytes.count)] {
      unsafe withUnsafeBytes(of: value) { unsafe header.append(contentsOf: $0) }
    }
    try write(header, at: 0)
    place = next
    map()
  }

  /// Maps the pages in use if the kernel has memory for them: a write to a page without memory would kill this process.
  private func map() {
    guard !hasTriedToMap else { return }
    hasTriedToMap = true
    unsafe memory = timeline_memory_map(
      rawValue, Self.mapLength, Self.firstPlace + Self.mappedBytes, Self.offset(of: 1), Self.mappedBytes)
  }

  private static var mapLength: Int { offset(of: 1) + mappedBytes }

  /// Returns the contents; `nil` if the file was never written, or not by ``replace(_:)``.
  package func contents() throws(SystemError) -> [UInt8]? {
    guard let (place, length) = try header() else { return nil }
    let bytes = try read(length, at: Self.offset(of: place))
    return bytes.count == length ? bytes : nil
  }

  private static func offset(of place: UInt32) -> Int { firstPlace + Int(place) * contentsMax }

  private func header() throws(SystemError) -> (place: UInt32, length: Int)? {
    let bytes = try read(8, at: 0)
    guard bytes.count == 8 else { return nil }
    let values = unsafe bytes.withUnsafeBytes { unsafe [UInt32]($0.bindMemory(to: UInt32.self)) }
    guard values[0] <= 1, values[1] <= Self.contentsMax else { return nil }
    return (values[0], Int(values[1]))
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    let number = rawValue
    let count = try SystemCall.check("pwrite", about: "a file in memory") {
      unsafe bytes.withUnsafeBytes { unsafe pwrite(number, $0.baseAddress, $0.count, off_t(offset)) }
    }
    // A write to a file in memory is short only if no memory is left.
    if count != bytes.count { throw SystemError(code: ENOSPC, call: "pwrite", subject: "a file in memory") }
  }

  private func read(_ length: Int, at offset: Int) throws(SystemError) -> [UInt8] {
    let number = rawValue
    var bytes = [UInt8](repeating: 0, count: length)
    let count = try SystemCall.check("pread", about: "a file in memory") {
      unsafe bytes.withUnsafeMutableBytes { unsafe pread(number, $0.baseAddress, $0.count, off_t(offset)) }
    }
    return Array(bytes.prefix(count))
  }
}
