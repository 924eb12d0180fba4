internal import TimelineSystem
internal import TimelineWire

/// The machine that a shared library is built for, according to the first bytes of its file (elf(5)).
struct LibraryMachine: Equatable {
  /// Size of an address, by `EI_CLASS`: 1 for 32 bits, 2 for 64 bits.
  private let addressClass: UInt8
  /// The number of the architecture, `e_machine`.
  private let number: UInt16

  /// Reads the machine from the beginning of a file; `nil` if the file is not an ELF file.
  init?(_ header: [UInt8]) {
    guard header.count >= Self.headerSize, header.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else { return nil }
    addressClass = header[4]
    // EI_DATA is 2 if the most significant byte comes first.
    let (low, high) = header[5] == 2 ? (header[19], header[18]) : (header[18], header[19])
    number = UInt16(high) << 8 | UInt16(low)
  }

  /// Number of bytes from the beginning of the file to the end of `e_machine`.
  private static let headerSize = 20

  /// Returns the refusal of a library that is built for another machine than this program; `nil` if the library fits the
  /// machine.
  static func refusal(of file: borrowing LibraryFile, path: String) -> Refusal? {
    guard let library = machine(ofFileAt: file.path), let own = machine(ofFileAt: "/proc/self/exe"),
      library != own
    else { return nil }
    return Refusal(
      file: path, reason: "it is built for \(library), and timelined runs on \(own)",
      remedy: "install the build of the plugin for \(own)")
  }

  private static func machine(ofFileAt path: String) -> LibraryMachine? {
    (try? FileContents.beginning(of: path, count: headerSize)).flatMap(LibraryMachine.init)
  }
}

extension LibraryMachine: CustomStringConvertible {
  /// The Debian name of the architecture, or its number in elf.h.
  var description: String {
    switch (number, addressClass) {
    case (3, _): "i386"
    case (21, _): "ppc64el"
    case (22, _): "s390x"
    case (40, _): "armhf"
    case (62, 1): "x32"
    case (62, _): "amd64"
    case (183, _): "arm64"
    case (243, _): "riscv64"
    case (258, _): "loong64"
    default: "machine \(number) of elf.h"
    }
  }
}
