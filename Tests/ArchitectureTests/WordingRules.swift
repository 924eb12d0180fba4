extension Rule {
  /// Code is read by people in a hurry: things do not speak, and an actor has a name.
  static let wording = Rule(name: "Comments and test names are in plain words") { tree in
    let wordings = try [
      (
        #"\b(?i:tells?|telling|told|says?|saying|said|hears?|heard|knows?|knew|knowing)\b"#,
        "write what is reported, logged, returned, shown or recorded"
      ),
      (
        #"\b(?i:nobody|somebody|whoever|no one|someone|anybody|anyone)\b"#,
        "name the actor: the operator, a caller, a client, a process"
      ),
      (#"\bTakes in\b"#, "write 'Handles', 'Applies' or 'Records'"),
      (#"\bof which\b"#, "write two sentences"),
      (#"\bHas .* be "#, "write what it does"),
    ].map { (pattern: try Pattern($0), instead: $1) }
    return tree.swiftFiles.flatMap { file in
      file.prose.enumerated().flatMap { index, text in
        wordings.compactMap { wording in
          wording.pattern.matches(in: text).first.map { match in
            Violation(
              path: file.path, line: index + 1, message: "'\(match.groups[0])': \(wording.instead)")
          }
        }
      }
    }
  }
}

extension SourceFile {
  /// The comments without code in backquotes, and the names of tests and suites, line by line.
  fileprivate var prose: [String] {
    zip(commentLines, codeLines).map { comment, code in
      let words = comment.replacing("``", with: "`").split(separator: "`", omittingEmptySubsequences: false)
      let name = code.split(separator: "`", omittingEmptySubsequences: false)
      return words.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: " ")
        + (name.count == 3 ? name[1] : "")
    }
  }
}
