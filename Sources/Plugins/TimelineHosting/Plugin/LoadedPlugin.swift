internal import CTimelinePlugin
internal import TimelineCore
internal import TimelineWire

/// A plugin whose table has been checked, with a copy of the table in which absent members are NULL.
///
/// Sendable although it holds pointers. Proof: both properties are constants, and `description` is a value. By the ABI the
/// texts and functions that `table` points to live as long as the process and never change.
@safe final class LoadedPlugin: @unchecked Sendable {
  let description: PluginDescription
  let table: timelined_plugin

  static let entryName = "timelined_plugin_entry"
  private typealias Entry =
    @convention(c) (UnsafePointer<timelined_host>?) -> UnsafePointer<timelined_plugin>?

  /// Opens, checks and loads the library at `path`, and checks its table. If there is a `digest`, the contents of the
  /// library must have it. Runs code of the library: its initializers and its entry function.
  convenience init(path: String, contents digest: FileDigest? = nil) throws(Refusal) {
    let file = try LibraryFile.open(at: path)
    if let digest { try file.require(digest, path: path) }
    try self.init(file, path: path)
  }

  /// Loads a library that was opened and checked at `path`, and checks its table.
  convenience init(_ file: consuming LibraryFile, path: String) throws(Refusal) {
    let library: HostSystem.LibraryHandle
    switch HostSystem.loadLibrary(file.path) {
    case .success(let handle): library = handle
    case .failure(let error):
      // For a library of another machine, dlopen(3) would report a missing file, so the machine is checked first.
      if let refusal = LibraryMachine.refusal(of: file, path: path) { throw refusal }
      throw Refusal(
        file: path,
        reason: "the dynamic linker does not take it: " + Self.named(error.text, file.path, path),
        remedy: Self.remedy(forLinker: error.text))
    }
    file.keepOpen()
    let named = unsafe HostSystem.symbol(Self.entryName(for: path), in: library)
    guard let symbol = unsafe named ?? HostSystem.symbol(Self.entryName, in: library) else {
      throw Refusal(
        file: path,
        reason:
          "expected a function \(Self.entryName) or \(Self.entryName(for: path)), and the library exports neither",
        remedy: "use the file's own name if the library has several plugins (exec.so, http.so, log.so); "
          + "export the function with default visibility (extern \"C\" in C++) if it is yours")
    }
    let entry = unsafe unsafeBitCast(symbol, to: Entry.self)
    guard let table = unsafe entry(HostTable.shared.pointer) else {
      throw Refusal(
        file: path,
        reason: "\(Self.entryName) returned NULL: the plugin does not want a host of ABI \(Self.hostRange)",
        remedy: "ask the plugin's author for one that speaks this host's ABI")
    }
    try unsafe self.init(table: table, path: path)
  }

  /// The name of the entry function in a library that several plugins share: for the file `exec.so`,
  /// `timelined_plugin_entry_exec`.
  private static func entryName(for path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    return "\(entryName)_\(file.hasSuffix(".so") ? file.dropLast(3) : file)"
  }

  /// Checks a table. Its first 16 bytes must be readable, and all bytes up to its `struct_size`.
  init(table: UnsafePointer<timelined_plugin>, path: String) throws(Refusal) {
    let size = Int(unsafe table.pointee.struct_size)
    let sizeMin = unsafe Self.end(of: \.run)
    guard size >= sizeMin, size <= Self.sizeMax else {
      throw Refusal(
        file: path,
        reason: "expected a table of \(sizeMin) to \(Self.sizeMax) bytes, and its struct_size is \(size)",
        remedy: "set struct_size to sizeof(timelined_plugin) and build against this host's timelined_plugin.h"
      )
    }
    let (oldest, newest) = unsafe (table.pointee.abi_oldest, table.pointee.abi_newest)
    guard oldest <= newest, oldest <= UInt32(TIMELINED_ABI_NEWEST), newest >= UInt32(TIMELINED_ABI_OLDEST)
    else {
      let isTooNew = oldest > UInt32(TIMELINED_ABI_NEWEST)
      throw Refusal(
        file: path,
        reason:
          "expected a plugin that speaks one of ABI \(Self.hostRange), and it speaks \(oldest) to \(newest)",
        remedy: isTooNew
          ? "install a newer timelined, or a build of the plugin for this one"
          : "build the plugin against this host's timelined_plugin.h")
    }
    let reserved = unsafe table.pointee.reserved
    guard reserved == 0 else {
      throw Refusal(
        file: path, reason: "expected the table's reserved member to be zero, and it is \(reserved)",
        remedy: "initialise the whole table; TIMELINED_PLUGIN_HEAD does it")
    }
    var copy = unsafe timelined_plugin()
    unsafe withUnsafeMutableBytes(of: &copy) { target in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: table, count: min(size, target.count)))
    }
    guard unsafe copy.run != nil else {
      throw Refusal(
        file: path, reason: "expected a run function, and the table has none", remedy: "set run in the table")
    }
    unsafe self.table = copy
    self.description = try unsafe Self.describe(copy, path: path)
  }

  /// Largest plausible size of a table; future versions of the table stay below it.
  private static let sizeMax = 4_096
  private static let hostRange = "\(TIMELINED_ABI_OLDEST) to \(TIMELINED_ABI_NEWEST)"

  private static func end<Member>(of member: KeyPath<timelined_plugin, Member>) -> Int {
    (unsafe MemoryLayout<timelined_plugin>.offset(of: member) ?? 0) + MemoryLayout<Member>.size
  }

  private static func describe(_ table: timelined_plugin, path: String) throws(Refusal) -> PluginDescription {
    let name = try unsafe text(table.name, "name", path)
    guard !name.isEmpty, name.utf8.count <= WireLimits.wordMax, !name.unicodeScalars.contains(where: isBlank)
    else {
      throw Refusal(
        file: path,
        reason: "expected the plugin's name to be one word of at most \(WireLimits.wordMax) bytes, and it is "
          + "\"\(name)\"",
        remedy: "give the plugin a short name without spaces")
    }
    do {
      return try PluginDescription(
        name: name, version: unsafe text(table.version, "version", path),
        summary: unsafe text(table.summary, "summary", path),
        parametersSchema: unsafe table.parameters_schema.map { unsafe String(cString: $0) },
        abiOldest: unsafe table.abi_oldest, abiNewest: unsafe table.abi_newest,
        instancesMax: UInt32(clamping: unsafe table.instances_max))
    } catch let error as WireError {
      throw Refusal(file: path, reason: "\(error)", remedy: "ask the plugin's author for a smaller schema")
    } catch let error as Refusal {
      throw error
    } catch {
      throw Refusal(file: path, reason: "\(error)", remedy: "ask the plugin's author")
    }
  }

  private static func text(_ pointer: UnsafePointer<CChar>?, _ member: String, _ path: String) throws(Refusal)
    -> String
  {
    guard let pointer = unsafe pointer else {
      throw Refusal(
        file: path, reason: "expected a \(member), and the table's is NULL",
        remedy: "set \(member) in the table")
    }
    return unsafe String(cString: pointer)
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value <= 0x20 || scalar.value == 0x7F
  }

  /// Returns the linker's text, with the name of the descriptor replaced by the name of the file.
  private static func named(_ text: String, _ alias: String, _ path: String) -> String {
    guard text.hasPrefix(alias) else { return text }
    return path + text.dropFirst(alias.count)
  }

  private static func remedy(forLinker text: String) -> String {
    if text.contains("cannot open shared object file") {
      return "install the library that it needs; ldd shows which ones it finds"
    }
    if text.contains("undefined symbol") {
      return "link the plugin with the library that has the symbol; nothing of the host's is linked"
    }
    if text.contains("failed to map segment") {
      return "move it to a file system that is not mounted noexec"
    }
    return "build it as a shared library for this machine, as with cc -shared -fPIC"
  }
}
