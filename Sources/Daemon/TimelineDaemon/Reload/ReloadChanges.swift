import TimelineCore
import TimelineEngine

/// Changes made by a reload.
struct ReloadChanges: Equatable {
  var added: [JobName] = []
  var changed: [JobName] = []
  var removed: [JobName] = []
  var unchangedCount = 0
  /// Warnings about settings and jobs that differ from the files or cannot take effect, one sentence each.
  var warnings: [String] = []

  /// Largest number of jobs with faults in a reply; `list` shows all of them.
  static let warningsMax = 100

  init(from old: [JobDefinition], to new: [JobDefinition]) {
    // Mostly the jobs and their order are the same. Only jobs at other places are looked up by name.
    var isKept = Array(repeating: false, count: old.count)
    var moved: [JobName: Int]?
    for (index, definition) in new.enumerated() {
      var place: Int? = index
      if index >= old.count || old[index].name != definition.name {
        let places =
          moved ?? Dictionary(old.indices.map { (old[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
        moved = places
        place = places[definition.name]
      }
      guard let place else {
        added.append(definition.name)
        continue
      }
      isKept[place] = true
      if old[place] == definition { unchangedCount += 1 } else { changed.append(definition.name) }
    }
    removed = old.indices.filter { !isKept[$0] }.map { old[$0].name }
  }

  /// The changes in one line of text.
  var text: String {
    let parts = [("added", added), ("changed", changed), ("removed", removed)].filter { !$0.1.isEmpty }
      .map { "\($0.0) \($0.1.map(\.text).joined(separator: ", "))" }
    return (parts + ["\(unchangedCount) unchanged"]).joined(separator: "; ")
  }
}
