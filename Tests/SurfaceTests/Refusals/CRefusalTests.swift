// SPDX-License-Identifier: MIT
import CSurface
import TestSupport
import Testing

/// A call with a bad argument returns the error of `Tests/Fixtures/refusals.json`, and the batch goes on as one that was not
/// called.
struct CRefusalTests {
  @Test func everyCallTakesGoodArguments() throws {
    for call in Set(try Refusal.all(in: "c").map(\.call)) {
      let status = CCall(try CStage(), nil).make(call)
      #expect(status == ok, "\(call): \(status.map(name) ?? "no call has this name"), \(words())")
    }
  }

  @Test func everyFunctionAboutABatchIsCalled() throws {
    let header = try Fixtures.text("../../Sources/CSurface/include/murmuration.h")
    let calls = try Fixtures.text("../SurfaceTests/Refusals/CCall.swift")
    let parts = header.split(separator: "murmuration_")
    let functions = zip(parts, parts.dropFirst()).filter { $0.contains("(") && $1.hasPrefix("batch batch") }
    let names = functions.map { $0.0.prefix { $0 != "(" } }
    #expect(names.count > 40)
    for name in names {
      let isCalled = ["(", " ", "\n"].contains { calls.contains("murmuration_\(name)\($0)") }
      #expect(isCalled, "\(name)")
    }
  }

  @Test func refusalsChangeNothing() throws {
    let expected = try CStage().shown()
    for refusal in try Refusal.all(in: "c") {
      let stage = try CStage()
      let given = CCall(stage, refusal)
      if refusal.argument == "batch" { #expect(murmuration_batch_free(stage.batch.id) == ok) }
      let found = given.make(refusal.call).map(name)
      #expect(found == refusal.error, "\(refusal)")
      #expect(given.memoryIsUnchanged, "\(refusal)")
      guard refusal.argument != "batch" else { continue }
      #expect(given.isBad, "\(refusal) was not given")
      let isUnchanged = stage.shown() == expected
      #expect(isUnchanged, "\(refusal)")
    }
  }
}
