import Testing
import TimelineTestSupport

@testable import TimelineEngineSimulation

@Suite struct `A life in a file` {
  private static let text = """
    # What it showed.
    #
    start
      seed = 77
      jobs = 2
    job 1
      kind = explicit
      instant #2 = 101500
    step 3
      what happens = steps the clock
    end
      the drain is bounded = yes

    """

  @Test func `is read and written the same`() throws {
    let life = try WrittenLife(parsing: Self.text, path: "a.life")
    #expect(life.text == Self.text)
    #expect(life.remarks == ["What it showed.", ""])
    #expect(life.sections == [.start, .job(1), .step(3), .end])
    #expect(life.decisions[3].place == WrittenLife.Decision.Place(.job(1), "instant", 2))
    #expect(life.decisions[3].origin == "a.life:8")
  }

  @Test func `is written as it was recorded, and read as it was written`() throws {
    for seed in 0..<40 as Range<UInt64> {
      let life = EngineSimulation.recorded(seed: seed).life
      let read = try WrittenLife(parsing: life.text, path: "a.life")
      #expect(read == life, "seed \(seed)")
      #expect(read.text == life.text, "seed \(seed)")
    }
  }

  @Test(arguments: [
    ("begin\n", "a.life:1: unknown section: write start, job N, step N or end"),
    ("step\n", "a.life:1: unknown section: write start, job N, step N or end"),
    ("job -1\n", "a.life:1: unknown section: write start, job N, step N or end"),
    ("start 1\n", "a.life:1: unknown section: write start, job N, step N or end"),
    ("  seed = 1\n", "a.life:1: no decision: write `label = value` below a section"),
    ("start\n  seed 1\n", "a.life:2: no decision: write `label = value` below a section"),
    ("start\n  seed #1 = 1\n", "a.life:2: no decision: write `label = value` below a section"),
    ("start\n  seed = \n", "a.life:2: no decision: write `label = value` below a section"),
    ("start\n  a = 1\n  a = 2\n", "a.life:3: decided twice: a"),
  ])
  func `is refused with its line`(_ text: String, _ message: String) {
    let error = #expect(throws: TestFailure.self) { try WrittenLife(parsing: text, path: "a.life") }
    #expect(error?.description == message)
  }

  @Test func `reports each decision that no draw asks for or that does not fit`() throws {
    let text = """
      start
        jobs = 9
        colour = red
      step 2
        what happens = dances
      step 900
        what happens = pauses

      """
    let (_, complaints) = EngineSimulation.replayed(try WrittenLife(parsing: text, path: "a.life"))
    #expect(
      complaints == [
        "a.life:2: jobs cannot be 9", "a.life:5: what happens cannot be dances",
        "a.life:3: nothing asks for colour in start", "a.life:7: nothing asks for what happens in step 900",
      ])
  }

  @Test func `decides each draw that it names, and leaves the others quiet`() throws {
    let text = "start\n  number = 7\n  chosen #2 = b\n  order = 2 0 1\n  happens = yes\n  holds = no\n"
    var dice = Dice(replaying: try WrittenLife(parsing: text, path: "a.life"))
    let numbers = [
      dice.number(in: 3...9, "number"), dice.number(in: 3...9, "number"),
      dice.number(in: 3...9, quietly: 5, "another number"),
    ]
    #expect(numbers == [7, 3, 5])
    let chosen = [["a", "b"], ["a", "b"], []].map { dice.element(of: $0, "chosen") }
    #expect(chosen == ["a", "b", nil])
    var list = ["x", "y", "z"]
    dice.shuffle(&list, "order")
    #expect(list == ["z", "x", "y"])
    let happens = [
      dice.happens(percent: 0, "happens"), dice.happens(percent: 100, "happens"),
      dice.happens(percent: 100, quietly: true, "holds"), dice.happens(percent: 0, quietly: true, "holds"),
    ]
    #expect(happens == [true, false, false, true])
    #expect(dice.complaints == [])
  }
}
