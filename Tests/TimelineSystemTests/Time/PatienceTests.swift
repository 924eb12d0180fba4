import Testing
import TimelineCore
import TimelineTestSupport

/// The factor of a slow machine, which scripts in shell and Python read in the same way.
@Suite struct PatienceTests {
  @Test(arguments: [
    ("1", 1_000), ("1.0", 1_000), ("2.5", 2_500), ("10.125", 10_125), ("999.999", 999_999),
  ])
  func `a number from 1 to 999_999 is a factor`(text: String, thousandths: Int64) throws {
    #expect(Patience.thousandths(of: text) == thousandths)
    let shell = ". Tests/patience.sh; patience 1000"
    let python = "import sys; sys.path.append('Tests'); import patience; print(int(patience.patience(1000)))"
    for words in [["bash", "-c", shell], ["python3", "-B", "-c", python]] {
      #expect(try run(words, factor: text) == "\(thousandths)\n")
    }
  }

  @Test(arguments: ["abc", "0", "0.5", "-1", "01", "3.", "1e3", "1000", "1.0000", " 2", "٣"])
  func `anything else is refused, with what to set`(text: String) {
    #expect(Patience.thousandths(of: text) == nil)
    for words in [
      ["bash", "-c", ". Tests/patience.sh"],
      ["python3", "-B", "-c", "import sys; sys.path.append('Tests'); import patience"],
    ] {
      let error = #expect(throws: TestFailure.self) { try run(words, factor: text) }
      #expect(
        error?.description.contains("TIMELINED_SLOW=\(text): not a factor: set a number from 1 to 999.999")
          == true)
    }
  }

  private func run(_ words: [String], factor: String) throws -> String {
    try shell(["env", "-C", sourceRoot, "LC_ALL=C.UTF-8", "TIMELINED_SLOW=\(factor)"] + words)
  }
}
