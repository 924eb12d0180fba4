extension Zone {
  /// Reads a zone from the bytes of a compiled zone file, versions 1 to 4 (RFC 8536 and RFC 9636).
  ///
  /// Reads the 64-bit table of a file of version 2 or later, and expands the rule after it to the end of the
  /// representable range; reads only the table of a version 1 file. Refuses files that count leap seconds. Damaged or
  /// hostile bytes cause an error, never a trap, and cost no more than a damaged file of 128 KiB can.
  public init(name: String, tzif bytes: [UInt8]) throws(ZoneError) {
    guard Self.isWellFormed(name: name) else { throw .invalidName(name) }
    guard bytes.count <= ZoneLimits.fileSizeMax else {
      throw .tooLarge(name: name, part: "bytes", count: bytes.count, limit: ZoneLimits.fileSizeMax)
    }
    var reader = TZifReader(name: name, bytes: bytes)
    self.init(storage: try reader.read())
  }

  /// Whether `name` can name a zone: parts of letters, digits, `_`, `+` and `-` with `/` between them.
  ///
  /// A path made of the directory of zones and a well-formed name cannot lead out of the directory.
  public static func isWellFormed(name: String) -> Bool {
    name.utf8.count <= ZoneLimits.nameLengthMax
      && name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isDigit || "_+-".utf8.contains($0) }
      }
  }
}
