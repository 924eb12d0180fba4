import Testing

@testable import TimelineSystem

@Suite struct `Locks on files` {
  @Test func `name the processes that have one on a file`() {
    let list = """
      1: POSIX  ADVISORY  READ 812 fe:01:4711 1073741826 1073742335
      2: POSIX  ADVISORY  READ 812 fe:01:4711 1073741824 1073741824
      3: FLOCK  ADVISORY  WRITE 813 fe:01:4711 0 EOF
      4: OFDLCK ADVISORY  READ -1 fe:01:4711 0 EOF
      5: POSIX  ADVISORY  WRITE 814 fe:01:4711 1073741825 1073741825
      5: -> POSIX  ADVISORY  WRITE 815 fe:01:4711 1073741825 1073741825
      6: POSIX  ADVISORY  WRITE 816 fe:01:47 0 EOF
      """
    #expect(FileLocks.holders(of: 4_711, in: list) == [812, 814])
    #expect(FileLocks.holders(of: 1, in: list) == [])
    #expect(FileLocks.holders(of: "/a file that is not there") == [])
  }
}
