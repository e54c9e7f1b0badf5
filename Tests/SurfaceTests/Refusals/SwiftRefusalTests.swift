// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Surface
import TestSupport
import Testing

/// A call with a bad argument throws the error of `Tests/Fixtures/refusals.json`, and the batch goes on as one that was not
/// called.
struct SwiftRefusalTests {
  /// The name that the header has for what a call throws; nil if it throws nothing.
  private func error(of call: () throws -> Void) -> String? {
    do {
      try call()
      return nil
    } catch let error as BatchError {
      return name(fail(error))
    } catch is ClipError {
      return "invalidClip"
    } catch is PhaseError {
      return "invalidPhases"
    } catch {
      return "\(error)"
    }
  }

  @Test func everyCallTakesGoodArguments() throws {
    for call in Set(try Refusal.all(in: "swift").map(\.call)) {
      for spelling in 0... {
        let given = SwiftCall(try SwiftStage(), nil)
        guard try given.make(call, spelling) else {
          #expect(spelling > 0, "no call is named \(call)")
          break
        }
        // So that a refused call that writes would be seen.
        #expect(given.hasWritten == ["read", "copyVertices", "bake"].contains(call))
      }
    }
  }

  @Test func refusalsChangeNothing() throws {
    let expected = try SwiftStage().shown()
    #expect(expected[0].events.count > 0 && expected[4].events.count > expected[0].events.count)
    for refusal in try Refusal.all(in: "swift") {
      var count = 0
      for spelling in 0... {
        let given = SwiftCall(try SwiftStage(), refusal)
        var isMade = false
        let found = error { isMade = try given.make(refusal.call, spelling) }
        if found == nil, !isMade { break }
        // One value for all has no number, and other spellings leave arguments out.
        guard given.isBad else { continue }
        count += 1
        #expect(found == refusal.error, "\(refusal), spelling \(spelling)")
        let isUnchanged = try given.stage.shown() == expected && !given.hasWritten
        #expect(isUnchanged, "\(refusal), spelling \(spelling)")
      }
      #expect(count > 0, "\(refusal) was not given")
    }
  }
}
