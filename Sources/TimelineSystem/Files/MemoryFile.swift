internal import CTimelineSystem
internal import Glibc

/// A file in memory alone that is there for as long as anybody has it open: what one process leaves to the next.
///
/// Its contents are replaced as a whole: there are two places for them, and eight bytes at the beginning say which one
/// counts and how long it is. So whoever is killed in the middle of a replacement leaves the contents before it.
///
/// Contents are replaced with every run of a plugin. So from the first time on the header and the first page of each place
/// are mapped, and what fits there takes no system call.
@safe package final class MemoryFile {
  private let descriptor: FileDescriptor
  /// The number to hand on.
  package var rawValue: CInt { descriptor.rawValue }
  private var place: UInt32 = 0
  private var memory: UnsafeMutableRawPointer?
  private var hasTriedToMap = false

  /// Contents are a message or two; the places lie this far apart, and what is not used takes no memory.
  package static let contentsMax = 128 * 1024
  /// The first place; the eight bytes before it lie in one page, so that they change all at once.
  private static let firstPlace = 4096
  /// The bytes of each place that are mapped, for which the kernel has found memory before.
  private static let mappedBytes = 4096

  /// Makes an empty one; `name` is for people who look into `/proc`. The C function is `memfd_create`.
  package init(name: String) throws(SystemError) {
    descriptor = FileDescriptor(
      owning: try SystemCall.check("memfd_create", about: name) { unsafe timeline_memory_file(name) })
  }

  /// Takes over one that another process has made.
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
      // In C because the header must not be seen before the contents, by whoever reads them when this process was killed.
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

  /// Maps what is used, if the kernel has memory for it: a page that is not there when it is written to would be the end of us.
  private func map() {
    guard !hasTriedToMap else { return }
    hasTriedToMap = true
    unsafe memory = timeline_memory_map(
      rawValue, Self.mapLength, Self.firstPlace + Self.mappedBytes, Self.offset(of: 1), Self.mappedBytes)
  }

  private static var mapLength: Int { offset(of: 1) + mappedBytes }

  /// The contents; `nil` when nothing was ever written, or not by ``replace(_:)``.
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
    // A file in memory is cut short only where there is no memory left.
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
