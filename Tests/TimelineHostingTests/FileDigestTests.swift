import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineHosting

@Suite struct `The digest of a file` {
  /// The examples of FIPS 180-2, appendix B, and the empty text.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `is the SHA-256 of its contents`(text: String, digest: String) throws {
    let workshop = try Workshop()
    let path = try workshop.write(text, to: "file")
    #expect(try FileDigest(ofFileAt: path).text == digest)
    #expect(FileDigest(digest.uppercased())?.text == digest)
  }

  @Test func `throws if the file is missing`() throws {
    let error = #expect(throws: SystemError.self) { try FileDigest(ofFileAt: "/none") }
    #expect(error?.isMissing == true)
  }
}
