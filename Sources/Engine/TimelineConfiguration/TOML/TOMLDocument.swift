import CTOML
import TimelineCore

/// The parse of one file. It owns the C handle, which alone owns the memory behind it.
///
/// Safe because the handle is private, never null and freed once by `deinit`, and because methods copy the handle's
/// memory before they return. Sendable because a document is never modified after its creation.
@safe final class TOMLDocument: @unchecked Sendable {
  let source: SourceText
  private let handle: OpaquePointer
  private let nodes: UnsafePointer<ctoml_node>

  /// The reason why there is no tree, and its position. `message` comes from toml++, and is empty unless the kind is
  /// ``Kind/syntax``.
  struct Failure: Error {
    enum Kind {
      case syntax, tooManyBytes, tooManyNodes, stringTooLong, tooDeep, outOfMemory
    }
    var kind: Kind
    var position: TextPosition
    var message = ""
  }

  /// Parses a file. Returns its root table. Each of its values retains the whole document.
  static func parse(_ source: SourceText) throws(Failure) -> TOMLValue {
    TOMLValue(document: try TOMLDocument(source), index: 0)
  }

  private init(_ source: SourceText) throws(Failure) {
    self.source = source
    let limits = ctoml_limits(
      byte_count_max: ConfigurationLimits.fileByteCountMax, node_count_max: ConfigurationLimits.nodeCountMax,
      string_byte_count_max: ConfigurationLimits.stringByteCountMax,
      depth_max: UInt32(ConfigurationLimits.depthMax))
    let nowhere = TextPosition(line: 0, column: 0)
    let handle = unsafe source.bytes.withUnsafeBufferPointer { buffer in
      unsafe ctoml_document_parse(buffer.baseAddress, buffer.count, limits)
    }
    guard let handle = unsafe handle else { throw Failure(kind: .outOfMemory, position: nowhere) }
    if let failure = unsafe Self.failure(of: handle) {
      unsafe ctoml_document_free(handle)
      throw failure
    }
    guard let nodes = unsafe ctoml_document_nodes(handle) else {
      unsafe ctoml_document_free(handle)
      throw Failure(kind: .syntax, position: nowhere, message: "there is no root table")
    }
    unsafe self.handle = handle
    unsafe self.nodes = nodes
  }

  deinit {
    unsafe ctoml_document_free(handle)
  }

  private static func failure(of handle: OpaquePointer) -> Failure? {
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
      message: unsafe string(ctoml_document_failure_message(handle)))
  }
}

// The nodes by their indexes. All other code reads nodes through these methods.
extension TOMLDocument {
  /// Returns the content of the node; the text of a string is copied.
  func content(at index: UInt32) -> TOMLValue.Content {
    let node = unsafe nodes + Int(index)
    switch unsafe node.pointee.kind {
    case CTOML_TABLE: return .table(TOMLTable(document: self, parent: index))
    case CTOML_ARRAY: return .array(TOMLArray(document: self, parent: index))
    case CTOML_STRING: return unsafe .string(Self.string(node.pointee.value.string))
    case CTOML_INTEGER: return unsafe .integer(node.pointee.value.integer)
    case CTOML_FLOAT: return unsafe .float(node.pointee.value.number)
    case CTOML_BOOLEAN: return unsafe .boolean(node.pointee.value.integer != 0)
    default: return unsafe Self.dateOrTime(node.pointee.value.date_time, kind: node.pointee.kind)
    }
  }

  /// Returns the key of the node; empty in an array.
  func key(at index: UInt32) -> String { unsafe Self.string(nodes[Int(index)].key) }

  /// Returns the beginning and the end of the key.
  func stretch(ofKeyAt index: UInt32) -> (begin: TextPosition, end: TextPosition) {
    unsafe (TextPosition(nodes[Int(index)].key_begin), TextPosition(nodes[Int(index)].key_end))
  }

  /// Returns the beginning and the end of the value.
  func stretch(at index: UInt32) -> (begin: TextPosition, end: TextPosition) {
    unsafe (TextPosition(nodes[Int(index)].begin), TextPosition(nodes[Int(index)].end))
  }

  /// Returns the number of children of a table or an array.
  func childCount(of index: UInt32) -> Int { unsafe Int(nodes[Int(index)].child_count) }

  /// Returns the index of the first child of a table or an array; ``end`` if there is none.
  func firstChild(of index: UInt32) -> UInt32 { unsafe Self.link(nodes[Int(index)].first_child) }

  /// Returns the index of the next sibling; ``end`` if there is none.
  func sibling(after index: UInt32) -> UInt32 { unsafe Self.link(nodes[Int(index)].next_sibling) }

  /// The index after the last child, which is greater than all valid indexes.
  static let end = UInt32.max

  private static func link(_ index: UInt32) -> UInt32 { index == 0 ? end : index }

  private static func dateOrTime(_ fields: ctoml_date_time, kind: ctoml_kind) -> TOMLValue.Content {
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
    default: preconditionFailure("who reads dates holds them against the calendar")
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
