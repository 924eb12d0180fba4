import Testing
import TimelineRehearsal

@Suite struct `A filter of jobs` {
  @Test(
    arguments: [
      ("", "backup", [], true), ("back", "backup", [], true), ("BACK", "Backup", [], true),
      ("log", "backup", [], false),
      ("log back", "backup", [], true), ("back -up", "backup", [], false), ("-log", "backup", [], true),
      ("-", "backup", [], true),
      ("group:db", "backup", ["db"], true), ("group:DB", "backup", ["Db"], true),
      ("group:db", "db", [], false),
      ("db", "backup", ["db"], false), ("-group:db", "backup", ["db"], false),
      ("group:", "backup", ["db"], true),
      ("group:", "backup", [], false), ("group:db -back", "backup", ["db"], false),
    ] as [(String, String, [String], Bool)])
  func `has words of names and groups, and words to leave out`(
    text: String, job: String, groups: [String], passes: Bool
  ) {
    #expect(JobFilter(text).matches(job, groups: groups) == passes)
  }
}
