import Testing

@testable import TimelineLoading

@Suite struct `Rights that the service takes from jobs` {
  @Test(arguments: [
    // The set of the unit as it is installed, none at all, and all.
    (2, UInt64(0x80_01FF), "its 2 jobs of root"), (1, 0, "its job of root"), (2, UInt64.max, nil),
  ])
  func `are reported if root cannot administer the machine`(count: Int, rights: UInt64, words: String?) {
    let note = ServiceRights.note(onJobsOfRoot: count, having: rights)
    #expect(note?.contains(words ?? "") == (words == nil ? nil : true))
  }
}
