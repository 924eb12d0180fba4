package import TimelineCore

/// An instant for each of some jobs, in nine bytes beside the names, which are shared with whoever keeps these anyway.
package struct JobInstants: Sendable {
  /// The jobs by their numbers; not each has an instant.
  private var names: [JobName]
  private var places: PlaceTable
  private var instants: [WallInstant]
  private var isSet: [Bool]

  /// Makes room for an instant of each of the jobs `names`, whose places `places` knows.
  package init(of names: [JobName], _ places: PlaceTable) {
    self.names = names
    self.places = places
    instants = Array(repeating: .min, count: names.count)
    isSet = Array(repeating: false, count: names.count)
  }

  /// The instant of the job of that name.
  package subscript(name: JobName) -> WallInstant? {
    get { place(of: name).flatMap { self[$0] } }
    set {
      if let place = place(of: name) { return self[place] = newValue }
      guard let newValue else { return }
      names.append(name)
      instants.append(newValue)
      isSet.append(true)
      places.insert(names.count - 1) { names[$0].hashValue }
    }
  }

  /// The instant of the job of that number, which must be one.
  package subscript(number: Int) -> WallInstant? {
    get { isSet[number] ? instants[number] : nil }
    set {
      instants[number] = newValue ?? .min
      isSet[number] = newValue != nil
    }
  }

  /// The jobs that have an instant, with it.
  package var all: some Sequence<(name: JobName, instant: WallInstant)> {
    names.indices.lazy.filter { isSet[$0] }.map { (names[$0], instants[$0]) }
  }

  /// Whether there is none.
  package var isEmpty: Bool { !isSet.contains(true) }

  private func place(of name: JobName) -> Int? {
    places.place(hash: name.hashValue) { names[$0] == name }
  }
}

extension JobInstants: ExpressibleByDictionaryLiteral {
  /// Takes in pairs.
  package init(dictionaryLiteral pairs: (JobName, WallInstant)...) {
    self.init(of: [], PlaceTable())
    for (name, instant) in pairs { self[name] = instant }
  }

  /// Takes in a dictionary.
  package init(_ dictionary: [JobName: WallInstant]) {
    self.init(of: [], PlaceTable(makingRoomFor: dictionary.count))
    for (name, instant) in dictionary { self[name] = instant }
  }
}

extension JobInstants: Equatable {
  /// Whether the same jobs have the same instants.
  package static func == (left: JobInstants, right: JobInstants) -> Bool {
    left.all.allSatisfy { right[$0.name] == $0.instant }
      && right.all.allSatisfy { left[$0.name] == $0.instant }
  }
}
