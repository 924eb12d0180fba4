internal import Glibc

/// The compiled time zones of the system.
package struct ZoneDirectory: Sendable, Hashable {
  package var path: String

  package init(path: String = "/usr/share/zoneinfo") {
    self.path = path
  }

  /// The directory in `$TZDIR`, as for the C library, or else the system's.
  package static var ofThisMachine: ZoneDirectory {
    CurrentProcess.environment["TZDIR"].map { ZoneDirectory(path: $0) } ?? ZoneDirectory()
  }

  /// Returns the compiled form (TZif, RFC 8536) of a zone such as `Europe/Berlin`.
  ///
  /// Throws `EINVAL` for a name that could lead out of the directory or has characters that zone names do not have, and `ENOENT`
  /// for a zone that does not exist.
  package func zone(named name: String) throws(SystemError) -> [UInt8] {
    guard Self.isValid(name) else {
      throw SystemError(
        code: EINVAL, call: "open", subject: "time zone '\(name)'",
        remedy: "Write it like Europe/Berlin or UTC; `timedatectl list-timezones` lists them.")
    }
    do {
      return try FileContents.read("\(path)/\(name)", limit: SystemLimits.zoneFileBytesMax).bytes
    } catch  where error.code == ENOENT || error.code == EISDIR || error.code == ENOTDIR {
      throw SystemError(
        code: ENOENT, call: "open", subject: "time zone '\(name)' in \(path)",
        remedy: "`timedatectl list-timezones` lists the zones; they come with the package tzdata.")
    }
  }

  /// Whether `name` has the form of a zone's name: letters, digits, `_`, `-`, `+` in parts joined by `/`.
  ///
  /// No dot is allowed, so no `..` either.
  package static func isValid(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= SystemLimits.zoneNameBytesMax else { return false }
    return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
      part in
      !part.isEmpty && part.allSatisfy(isNameByte)
    }
  }

  /// Returns the name of the zone of the system's local time.
  ///
  /// `TZ` of `environment` comes first: `Europe/Berlin`, `:Europe/Berlin` or a path below ``path``. A POSIX rule such as
  /// `CET-1CEST` names no zone and is ignored. Then comes the target of the link `localtime`, then `UTC`.
  package func systemZoneName(
    environment: [String: String], localtime: String = "/etc/localtime"
  ) -> String {
    if let variable = environment["TZ"] {
      if variable.isEmpty { return "UTC" }
      let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
      let name = nameBelow(text) ?? text
      if Self.isValid(name), (try? zone(named: name)) != nil { return name }
    }
    if let target = Self.target(ofLink: localtime), let name = nameBelow(target),
      (try? zone(named: name)) != nil
    {
      return name
    }
    return "UTC"
  }

  /// Returns the zone of the system's local time, like ``systemZoneName(environment:localtime:)``, even if its file cannot be
  /// read: a system that is set to Europe/Berlin does not mean UTC.
  package func namedSystemZone(
    environment: [String: String], localtime: String = "/etc/localtime"
  ) -> String {
    let name = systemZoneName(environment: environment, localtime: localtime)
    guard name == "UTC", environment["TZ"].map(namesNothing) ?? true else { return name }
    return Self.target(ofLink: localtime).flatMap(nameBelow) ?? name
  }

  /// Whether the link `localtime` decides the zone, despite this value of `TZ`.
  private func namesNothing(_ variable: String) -> Bool {
    ignores(variable: variable) || variable.hasSuffix("/etc/localtime")
  }

  /// Whether a value of `TZ` is ignored, because it names no zone that can be read.
  package func ignores(variable: String) -> Bool {
    if variable.isEmpty { return false }
    let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    let name = nameBelow(text) ?? text
    // `UTC` is the default of a system without tzdata, `/etc/localtime` an explicit form of the default.
    if name == "UTC" || name == "/etc/localtime" { return false }
    return !Self.isValid(name) || (try? zone(named: name)) == nil
  }

  /// Returns the part of a path below `zoneinfo/`, however the link is written.
  private func nameBelow(_ text: String) -> String? {
    let marker = "/\(path.split(separator: "/").last ?? "zoneinfo")/"
    guard let end = Self.end(of: marker, in: text) else { return nil }
    let name = String(text[end...])
    return Self.isValid(name) ? name : nil
  }

  private static func end(of marker: String, in text: String) -> String.Index? {
    var start = text.startIndex
    while start < text.endIndex {
      if text[start...].hasPrefix(marker) { return text.index(start, offsetBy: marker.count) }
      start = text.index(after: start)
    }
    return nil
  }

  private static func target(ofLink path: String) -> String? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      count = unsafe max(0, readlink(path, start, buffer.count))
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"):
      true
    default: false
    }
  }
}
