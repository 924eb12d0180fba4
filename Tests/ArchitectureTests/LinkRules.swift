extension Rule {
  /// An installed machine has no clone: messages name pages where `make install` puts them.
  static let installedPages = Rule(
    name: "A message names a page by its place in an installation, and the page exists"
  ) { tree in
    let clone = try Pattern(#"\bdocs/[a-z-]+\.md"#)
    let installed = try Pattern(#"\bshare/doc/timelined/([a-z-]+\.md)"#)
    let pages = Set(tree.files.map(\.path))
    return tree.swiftSources.flatMap { file in
      file.lines.enumerated().flatMap { index, line -> [Violation] in
        guard !line.drop(while: \.isWhitespace).hasPrefix("//") else { return [] }
        let ofClone = clone.matches(in: line).map { _ in "write share/doc/timelined/ in place of docs/" }
        let missing = installed.matches(in: line).map { $0.groups[1] }
          .filter { !pages.contains("docs/\($0)") }.map { "there is no page docs/\($0)" }
        return (ofClone + missing).map { Violation(path: file.path, line: index + 1, message: $0) }
      }
    }
  }

  /// Renaming a page, or changing a heading, requires changing the links to it.
  static let links = Rule(name: "Every link of a page leads to a file, or to a heading of one") { tree in
    let pattern = try Pattern(#"\]\(([^)\s]*)\)"#)
    let paths = Set(tree.files.map(\.path))
    let pages = Dictionary(uniqueKeysWithValues: tree.files.filter(\.isPage).map { ($0.path, Page($0)) })
    return tree.files.filter(\.isPage).flatMap { file in
      Page(file).prose.flatMap { number, line -> [Violation] in
        let links = pattern.matches(in: line).map { $0.groups[1] }.filter { !$0.hasPrefix("https:") }
        return links.compactMap { link in
          let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
          let target = parts[0].isEmpty ? file.path : Page.path(of: parts[0], from: file.path)
          guard paths.contains(target) || paths.contains(where: { $0.hasPrefix(target + "/") }) else {
            return Violation(path: file.path, line: number, message: "no file \(target)")
          }
          guard parts.count > 1, pages[target]?.anchors.contains(parts[1]) != true else { return nil }
          return Violation(path: file.path, line: number, message: "no heading #\(parts[1]) in \(target)")
        }
      }
    }
  }
}

/// A page in Markdown, parsed for links.
private struct Page {
  /// The lines outside of code blocks with their numbers, without inline code.
  var prose: [(number: Int, text: String)] = []
  /// Names that a link may have after `#`: the headings as GitHub converts them.
  var anchors: Set<String> = []

  init(_ file: SourceFile) {
    var isCode = false
    for (index, line) in file.lines.enumerated() {
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if !isCode {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        prose.append((index + 1, parts.enumerated().map { $0.offset % 2 == 0 ? $0.element : "" }.joined()))
        if line.hasPrefix("#") { add(heading: line) }
      }
    }
  }

  /// Adds the anchor of a heading; the second of two equal ones has a number as suffix.
  private mutating func add(heading: String) {
    let words = heading.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
    let anchor = String(
      words.map { $0 == " " ? "-" : $0 }.filter { $0.isLetter || $0.isNumber || "-_".contains($0) })
    var (name, count) = (anchor, 0)
    while !anchors.insert(name).inserted {
      count += 1
      name = "\(anchor)-\(count)"
    }
  }

  /// The path of the target of `link` on the page at `path`.
  static func path(of link: String, from path: String) -> String {
    var parts = path.split(separator: "/").dropLast().map(String.init)
    for part in link.split(separator: "/") {
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }
}
