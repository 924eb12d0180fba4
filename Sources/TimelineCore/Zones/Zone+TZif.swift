extension Zone {
  /// Reads a zone from the bytes of a compiled zone file, versions 1 to 4 (RFC 8536 and RFC 9636).
  ///
  /// A version 2 or later file is read by its 64-bit table and by the rule after it, which is written out to the
  /// end of the representable range; a version 1 file by its table alone. Files that count leap seconds are refused.
  /// Damaged or hostile bytes are an error, never a trap, and cost no more than a damaged file of 128 KiB can.
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
  /// Such a name can be put behind the directory of zones and cannot lead out of it.
  public static func isWellFormed(name: String) -> Bool {
    name.utf8.count <= ZoneLimits.nameLengthMax
      && name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isDigit || "_+-".utf8.contains($0) }
      }
  }
}
