import Testing
import TimelineStoreSQL

/// Messages of libpq about valid and invalid connection strings.
struct ConnectionStringTests {
  static let rows: [(text: String, message: String, blanked: String)] = [
    (
      "postgresql://t:pa/ss@wo:rd@/x", #"invalid integer value "pa" for connection option "port""#,
      #"invalid integer value "***" for connection option "port""#
    ),
    (
      "postgresql://t:s3cret%zz@h/x", #"invalid percent-encoded token: "s3cret%zz""#,
      #"invalid percent-encoded token: "***""#
    ),
    (
      "postgresql://t:pw@s3cret@h/x", #"could not translate host name "s3cret@h""#,
      #"could not translate host name "***""#
    ),
    ("host=h password=my s3cret user=t", #"missing "=" after "s3cret" in"#, #"missing "=" after "***" in"#),
    ("host=h password = 'a b' user=t", #"role "t" does not exist"#, #"role "t" does not exist"#),
    ("postgresql://t:s3cret@h/x", #"failed for user "t""#, #"failed for user "t""#),
    (
      "postgresql://t@h/x?password=s3cret&port=a", #"value "a" for option "port""#,
      #"value "a" for option "port""#
    ),
    ("postgresql://t@h/x?password=s3cret&port=a", #"token: "s3cret""#, #"token: "***""#),
    ("", #"host "h""#, #"host "h""#),
  ]

  @Test(arguments: rows.indices)
  func `no message quotes a part of a password`(index: Int) {
    let row = Self.rows[index]
    #expect(ConnectionString(row.text).blanked(row.message) == row.blanked)
  }
}
