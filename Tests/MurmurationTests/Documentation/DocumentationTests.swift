// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import Testing

/// The examples of the documents compile, run, and give the results that the documents state.
struct DocumentationTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  /// This file is Tests/MurmurationTests/Documentation/DocumentationTests.swift.
  private static let root = (0..<3).reduce(folder) { url, _ in url.deletingLastPathComponent() }

  /// The examples of this folder and of the products beside the library, and the steps of the tutorial's program: the
  /// document of each, and its lines.
  private static func examples() throws -> [(document: String, lines: [String])] {
    let names = [
      "Examples.swift", "BatchExamples.swift", "GuideExamples.swift", "KeepingExamples.swift", "ReadingExamples.swift",
    ]
    let others = [
      "Tests/FormatsTests/FormatsExamples.swift", "Tests/RigsTests/RigsExamples.swift",
      "Tests/ModalMotionTests/ModalMotionExamples.swift", "Tests/ColumnKernelsTests/ColumnKernelsExamples.swift",
      "Sources/Examples/FirstTracks.swift",
    ]
    let files = names.map { folder.appendingPathComponent($0) } + others.map { root.appendingPathComponent($0) }
    let sources = try files.map { file in
      try String(contentsOf: file, encoding: .utf8)
    }
    var examples: [(document: String, lines: [String])] = []
    var shown = 0..<0
    for line in sources.joined(separator: "\n").split(separator: "\n") {
      let text = plain(line)
      if text.hasPrefix("// example: ") {
        // Several documents may show the same.
        let documents = text.dropFirst("// example: ".count).components(separatedBy: ", ")
        shown = examples.count..<examples.count + documents.count
        examples += documents.map { ($0, []) }
      } else if text == "// end" {
        shown = 0..<0
      } else {
        for index in shown { examples[index].lines.append(text) }
      }
    }
    return examples
  }

  private static let modules = [
    "Murmuration", "MurmurationReference", "Formats", "Rigs", "ModalMotion", "ColumnKernels",
  ].map {
    "import \($0)"
  }

  /// The blocks of Swift in a document, or in the comments of a source.
  private static func blocks(of document: String) throws -> [[String]] {
    let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
    var blocks: [[String]] = []
    var isInside = false
    for line in text.split(separator: "\n") {
      var line = plain(line)
      if line.hasPrefix("///") { line = plain(line.dropFirst(3)) }
      if line.hasPrefix("```") {
        isInside = line == "```swift"
        if isInside { blocks.append([]) }
      } else if isInside, !line.isEmpty, !modules.contains(line) {
        blocks[blocks.count - 1].append(line)
      }
    }
    return blocks
  }

  /// A line without indentation, and with one space where there are several.
  private static func plain(_ line: Substring) -> String {
    line.split(separator: " ").joined(separator: " ")
  }

  @Test func documentsShowWhatIsCompiledHere() throws {
    let examples = try Self.examples()
    #expect(examples.count == 88)
    for example in examples {
      #expect(!example.lines.isEmpty)
      #expect(try Self.blocks(of: example.document).contains(example.lines), "\(example.document) shows other code")
    }
  }

  @Test func noDocumentShowsWhatIsNotCompiledHere() throws {
    let examples = try Self.examples()
    let sources = Self.root.appendingPathComponent("Sources")
    let names = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
    let documents =
      ["README.md"] + names.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }.map { "Sources/\($0)" }
    #expect(documents.count > 300)
    for document in documents {
      for block in try Self.blocks(of: document) where block.first?.hasPrefix(".package(") != true {
        let isKnown = examples.contains { $0.document == document && $0.lines == block }
        #expect(isKnown, "\(document) shows code that is no example: \(block.first ?? "")")
      }
    }
  }

  @Test func theReadmeShowsOneMotionTwice() throws {
    var printer = Printer()
    try Examples.readme(&printer)
    #expect(printer.printed.count == 5)
    // Track 42 moves to 42 as the model does; frame 15 is at 0.25 s.
    let bound = 8 * 0x1p-24 * 42 + Double(Float(42).ulp) / 2
    #expect(abs(printer.printed[0] - printer.printed[4]) <= bound)
  }

  /// The lines that each example prints.
  private static let exact: [(print: @Sendable (inout Printer) throws -> Void, printed: [Double])] = [
    // Two components of one dot in one frame; of four dots in 49 frames.
    (Examples.recording, [2]), (Examples.checkedProgram, [392]), (Examples.goingBack, [0, 1.0 / 60]),
    (Examples.selections, [93]), (Examples.groups, [0]), (Examples.perTrack, [3]), (Examples.stagger, [100]),
    (Examples.sending, [2]), (Examples.awaiting, [2]),
    // The ring that popped up within the last two seconds.
    (Examples.emittingWithAnyMotion, [24]),
    // Three tracks and two phases.
    (Examples.inference, [5]),
    // Two tracks are in the middle of their second round, and the last one has begun anew.
    (Examples.animationBatchPhases, [Double(Float(0.9)), Double(Float(0.9)), 1.25]),
    // The bouncy step was complete at 0.5 s; both are on their way back to phase 0.
    (Examples.phaseAnimator, [0, 0]),
    // Overwritten; stopped after a quarter of the way back; the others at their ends.
    (Examples.tweens, [50, 75, 100, 100, 100]), (Examples.completions, [10]),
    // Six bursts of 500 lived at once, and all have come to rest.
    (Examples.emitting, [0, 3000]), (Examples.uploading, [12]), (Examples.vertices, [6, 51, 8]),
    (Examples.colors, [255]), (Examples.cheapCalls, [0, 0, 3, 0]),
  ]

  @Test(arguments: exact.indices) func examplesPrintTheirNumbers(_ index: Int) throws {
    var printer = Printer()
    try Self.exact[index].print(&printer)
    #expect(printer.printed == Self.exact[index].printed)
  }

  @Test func tracksThatFollowArriveAtTheirGoals() throws {
    var printer = Printer()
    try Examples.following(&printer)
    try Examples.goalsInPlace(&printer)
    try Examples.leaders(&printer)
    #expect(abs(printer.printed[0] - 60) < 10 && abs(printer.printed[1] - 20) < 0.1)
    #expect(printer.printed[2...] == [1000, 100])
  }

  @Test func rotations() throws {
    var printer = Printer()
    try Examples.rotations(&printer)
    Examples.rotationProducts(&printer)
    #expect(printer.printed.count == 3 && printer.printed[0] > 10 && printer.printed[1] > 1)
    #expect(abs(printer.printed[2] - 45) < 1e-9)
    #expect(try Examples.rotationsInAnArticle()?.vector.y ?? 0 > 0)
  }

  @Test func theReferenceMovesATrackAsTheModelDoes() throws {
    var printer = Printer()
    try Examples.reference(&printer)
    #expect(abs(printer.printed[0] - Spring.bouncy.value(target: 100.0, time: 0.25)) < 1e-10)
  }

  @Test func aDotTurnsBack() throws {
    var printer = Printer()
    try Examples.animationBatch(&printer)
    // The curve takes it back to 0 while the spring goes on to 50.
    #expect(printer.printed[0] > 0 && printer.printed[0] < 20)
  }

  @Test func dotsAreBaked() throws {
    var printer = Printer()
    try Examples.bakeRequest(&printer)
    // The first component stays where it was; the second is on its way to 50, and may have passed it.
    #expect(printer.printed[0] == 10 && printer.printed[1] > 40)
  }

  @Test func framesAdvanceABatchUntilTheirTaskIsCancelled() async throws {
    #expect(try Examples.frameClock() == 0)
    let task = Task { try await Examples.frameSequence() }
    task.cancel()
    try await task.value
  }

  @Test func batchesSayWhatTheyDo() throws {
    var printer = Printer()
    try Examples.keyframes(&printer)
    // After a second, tracks with a delay of at most a tenth of a second have begun again; the last number is the height.
    let (rounds, height) = (printer.printed.dropLast(), try #require(printer.printed.last))
    #expect(Set(rounds) == Set((0..<200).map(Double.init)) && rounds.count == 200)
    let hop = KeyframeTimeline(initialValue: 0.0) {
      CubicKeyframe(100, duration: 0.3)
      SpringKeyframe(0, duration: 0.5, spring: .bouncy)
    }
    #expect(abs(height - hop.value(time: 0.2)) < 0.01)

    printer = Printer()
    try Examples.phases()
    try Examples.baking()
    let rig = try Examples.samplerBaking()
    // Halfway along a cubic that begins and ends at rest, then at its end.
    #expect(abs(rig[15] - 50) < 1e-4 && rig[30] == 100 && rig[239] == 100)
    var some = try AnimationBatch<Float>()
    let tracks = try some.add([1, 2, 5, 3])
    try some.remove(tracks[2])
    let sum = try total(some)
    #expect(sum == 6)
    #expect(try Examples.phaseSequence() == 3)
    try Examples.clipSampler(&printer)
    // Halfway along a cubic that begins and ends at rest.
    #expect(printer.printed.count == 1 && abs(printer.printed[0] - 50) < 1e-4)
    printer = Printer()
    try Examples.particles(&printer)
    #expect(printer.printed.isEmpty, "half a second is too short for a bouncy spring to come to rest")
    var pose = Pose(height: 1, turn: .degrees(90), name: "up")
    pose.animatableData.first = 3
    #expect(pose.height == 3 && pose.turn == .degrees(90))
    var quantity = Quantity(mass: 1, charge: 2)
    quantity[component: 1] = 5
    #expect(quantity.charge == 5 && Quantity.componentCount == 2)
  }

  // MARK: - Guides

  /// The tutorial shows each line of its program, in order, and nothing else.
  @Test func theTutorialIsItsProgram() throws {
    let page = "Sources/Murmuration/Murmuration.docc/Articles/FirstTracks.md"
    let steps = try Self.examples().filter { $0.document == page }.map(\.lines)
    #expect(try Self.blocks(of: page) == steps && steps.count == 7)
    let program = try String(
      contentsOf: Self.root.appendingPathComponent("Sources/Examples/FirstTracks.swift"), encoding: .utf8)
    let lines = program.split(separator: "\n").map(Self.plain).filter { !$0.hasPrefix("// example: ") }
    let body = lines.drop { $0 != steps[0][0] }.prefix { $0 != "// end" }
    #expect(Array(body) == steps.flatMap(\.self))
  }

  @Test func swiftUISideBySide() throws {
    var printer = Printer()
    try Examples.withAnimation(&printer)
    #expect(printer.printed.count == 1 && abs(printer.printed[0] - 0.5) < 1e-6)

    printer = Printer()
    try Examples.keyframeAnimator(&printer)
    // Begun again half way, the scale rises from 1.1 to 1.2 in 0.3 s. The other track is at the height of its hop.
    #expect(abs(printer.printed[0] - 1.15) < 1e-4 && abs(printer.printed[1] - 60) < 1e-3)

    printer = Printer()
    Examples.ownTimeline(&printer)
    #expect(abs(printer.printed[0] - 30) < 1e-9)
  }

  @Test func tweensDoAsTheGuideSays() throws {
    var printer = Printer()
    try Examples.sequence(&printer)
    // Half way along an ease that overshoots; a tenth of a second at half speed after 0.95 s.
    #expect(printer.printed[0] > 100 && abs(printer.printed[1] - 1) < 1e-6)
  }

  @Test func particlesComeAndGo() throws {
    var printer = Printer()
    try Examples.emittingWithoutArrays(&printer)
    // A drop rests about a second after its start.
    #expect(printer.printed[0] < 15_000 && printer.printed[0].truncatingRemainder(dividingBy: 200) == 0)
    #expect((0..<300).contains(printer.printed[1]))
  }

  @Test func gesturesDoAsTheGuideSays() throws {
    var printer = Printer()
    try Examples.drag(&printer)
    // The slopes are 750 and 625 a second.
    #expect(abs(printer.printed[0] - (0.25 * 750 + 0.75 * 625)) < 0.01)
    #expect((75..<85).contains(printer.printed[1]) && printer.printed[2] == 100)

    printer = Printer()
    try Examples.throwing(&printer)
    // The first card is at its projected end, the second where it was caught, the third back.
    #expect(printer.printed[0] == printer.printed[1] && printer.printed[3] == 0)
    #expect((0..<349).contains(printer.printed[2]))

    printer = Printer()
    try Examples.grabbing(&printer)
    #expect(abs(printer.printed[0] - 40) < 1e-3)
  }

  @Test func readingAgrees() throws {
    var printer = Printer()
    try Examples.reading(&printer)
    #expect(printer.printed[0] == 10 && printer.printed[1] == 20 && printer.printed[2] == 10)
    #expect(printer.printed[3] > 0 && printer.printed[4] == 0)
  }

  @MainActor @Test func batchesHaveOwners() async throws {
    let stage = try Stage(count: 3)
    try stage.send(to: [1, 2])
    var drawn: [SIMD2<Float>] = []
    try stage.frame(at: 10) { drawn.append($0) }
    #expect(drawn == [[1, 2], [1, 2], [1, 2]])
    #expect(try await Examples.moving() == [100])

    var level = try Level()
    try level.positions.add([1, 2], to: [3, 4], .smooth)
    let before = moving(level.positions)
    try level.advance(to: 10)
    let after = moving(level.positions)
    #expect(before == 1 && after == 0)
  }

  @Test func theOthersRun() throws {
    #expect(try Examples.landingPage() == Spring.bouncy.value(target: 100.0, time: 0.25))
    var printer = Printer()
    Examples.animatedValue(&printer)
    Examples.keyframeTimeline(&printer)
    Examples.keyframePlayer(&printer)
    // The value turned round between 0 and 100.
    #expect(printer.printed.count == 3 && (0..<100).contains(printer.printed[0]))
    // Halfway along cubics that begin at rest: to 100 and then back, and to 20 and rest.
    #expect(abs(printer.printed[1] - 50) < 1e-9 && abs(printer.printed[2] - 10) < 1e-9)
  }
}
