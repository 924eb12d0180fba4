import CTOML
import TimelineCore

/// One parse of one file: the C handle, the only owner of everything behind it.
///
/// Safe because the handle is private, never null, freed once by `deinit`, and what it lends is copied before a
/// method returns.
@safe struct TOMLDocument: ~Copyable {
  private let handle: OpaquePointer

  /// Why there is no tree, and where; `message` is toml++'s and empty for everything but ``Kind/syntax``.
  struct Failure: Error {
    enum Kind {
      case syntax, tooManyBytes, tooManyNodes, stringTooLong, tooDeep, outOfMemory
    }
    var kind: Kind
    var position: TextPosition
    var message = ""
  }

  private init?(_ bytes: [UInt8]) {
    let limits = ctoml_limits(
      byte_count_max: Limits.fileByteCountMax, node_count_max: Limits.nodeCountMax,
      string_byte_count_max: Limits.stringByteCountMax, depth_max: UInt32(Limits.depthMax))
    let handle = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe ctoml_document_parse(buffer.baseAddress, buffer.count, limits)
    }
    guard let handle = unsafe handle else { return nil }
    unsafe self.handle = handle
  }

  deinit {
    unsafe ctoml_document_free(handle)
  }

  /// The root table of a file, copied out so that nothing of C outlives the call.
  static func parse(_ bytes: [UInt8]) throws(Failure) -> TOMLValue {
    let nowhere = TextPosition(line: 0, column: 0)
    guard let document = TOMLDocument(bytes) else { throw Failure(kind: .outOfMemory, position: nowhere) }
    if let failure = document.failure { throw failure }
    guard let root = document.value(at: 0) else {
      throw Failure(kind: .syntax, position: nowhere, message: "there is no root table")
    }
    return root
  }

  private var failure: Failure? {
    let kind: Failure.Kind
    switch unsafe ctoml_document_failure(handle) {
    case CTOML_NO_FAILURE: return nil
    case CTOML_TOO_MANY_BYTES: kind = .tooManyBytes
    case CTOML_TOO_MANY_NODES: kind = .tooManyNodes
    case CTOML_STRING_TOO_LONG: kind = .stringTooLong
    case CTOML_TOO_DEEP: kind = .tooDeep
    case CTOML_OUT_OF_MEMORY: kind = .outOfMemory
    default: kind = .syntax
    }
    return Failure(
      kind: kind, position: TextPosition(unsafe ctoml_document_failure_position(handle)),
      message: unsafe Self.string(ctoml_document_failure_message(handle)))
  }

  /// The node at `index` with everything below it; as deep a recursion as ``Limits/depthMax``.
  private borrowing func value(at index: Int) -> TOMLValue? {
    guard unsafe index < ctoml_document_node_count(handle), let nodes = unsafe ctoml_document_nodes(handle)
    else { return nil }
    let node = unsafe nodes[index]
    guard let content = unsafe content(of: node) else { return nil }
    return unsafe TOMLValue(
      content: content, begin: TextPosition(node.begin), end: TextPosition(node.end))
  }

  private borrowing func content(of node: ctoml_node) -> TOMLValue.Content? {
    switch unsafe node.kind {
    case CTOML_TABLE:
      return unsafe .table(
        children(of: node) { child, value in
          unsafe TOMLEntry(
            key: Self.string(child.key), keyBegin: TextPosition(child.key_begin),
            keyEnd: TextPosition(child.key_end), value: value)
        })
    case CTOML_ARRAY: return unsafe .array(children(of: node) { _, value in value })
    case CTOML_STRING: return unsafe .string(Self.string(node.string))
    case CTOML_INTEGER: return unsafe .integer(node.integer)
    case CTOML_FLOAT: return unsafe .float(node.number)
    case CTOML_BOOLEAN: return unsafe .boolean(node.integer != 0)
    default: return unsafe Self.dateOrTime(node.date_time, kind: node.kind)
    }
  }

  private borrowing func children<Child>(
    of node: ctoml_node, _ make: (ctoml_node, TOMLValue) -> Child
  ) -> [Child] {
    guard let nodes = unsafe ctoml_document_nodes(handle) else { return [] }
    let (first, count) = unsafe (Int(node.first_child), Int(node.child_count))
    var children: [Child] = []
    children.reserveCapacity(count)
    for index in first..<(first + count) {
      if let value = value(at: index) { unsafe children.append(make(nodes[index], value)) }
    }
    return children
  }

  /// toml++ has checked the fields against the calendar; a value that fails here is left out of the tree.
  private static func dateOrTime(_ fields: ctoml_date_time, kind: ctoml_kind) -> TOMLValue.Content? {
    let date = CivilDate(year: Int(fields.year), month: Int(fields.month), day: Int(fields.day))
    let time = CivilTime(
      hour: Int(fields.hour), minute: Int(fields.minute), second: Int(fields.second),
      nanosecond: Int(fields.nanosecond))
    switch (kind, date, time) {
    case (CTOML_LOCAL_DATE, let date?, _): return .localDate(date)
    case (CTOML_LOCAL_TIME, _, let time?): return .localTime(time)
    case (CTOML_LOCAL_DATE_TIME, let date?, let time?):
      return .localDateTime(CivilDateTime(date: date, time: time))
    case (CTOML_OFFSET_DATE_TIME, let date?, let time?):
      let civil = CivilDateTime(date: date, time: time)
      return .offsetDateTime(civil, offsetMinutes: Int(fields.offset_minutes))
    default: return nil
    }
  }

  private static func string(_ text: ctoml_text) -> String {
    let bytes = unsafe UnsafeBufferPointer(start: text.bytes, count: text.count)
    return unsafe String(decoding: bytes, as: UTF8.self)
  }
}

extension TextPosition {
  init(_ position: ctoml_position) {
    self.init(line: Int(position.line), column: Int(position.column))
  }
}
