extension StringProtocol {
  /// The text with control characters spelled out, except tabs: the output of a plugin must not control a terminal.
  package var printable: String {
    guard unicodeScalars.contains(where: Self.isControl) else { return String(self) }
    var text = ""
    for scalar in unicodeScalars {
      text +=
        Self.isControl(scalar) && scalar != "\t" ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }
    return text
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }
}
