// SPDX-License-Identifier: MIT
import Scenes
import Testing
import Text

/// Names as people write them, and the nearest name to a mistyped one.
struct KnownNamesTests {
  private let curves = KnownNames(["linear", "easeIn", "easeInOut", "jump-end"])

  @Test func capitalsHyphensAndUnderscoresDoNotMatter() {
    for text in ["easeInOut", "ease-in-out", "ease_in_out", "EaseInOut", "ease in out", "EASEINOUT"] {
      #expect(curves.meant(by: text) == "easeInOut")
    }
    #expect(curves.meant(by: "jumpEnd") == "jump-end")
    for text in ["", "ease", "easeInOu", "linear!"] { #expect(curves.meant(by: text) == nil) }
  }

  @Test func theNearestNameDiffersByAThirdOfItsLettersAtMost() {
    for (text, name) in [
      ("liner", "linear"), ("ease-inn", "easeIn"), ("easeInOtu", "easeInOut"), ("jump-ned", "jump-end"),
      ("laniar", "linear"),
    ] { #expect(curves.nearest(to: text) == name, "\(text)") }
    for text in ["", "x", "spline", "easy", String(repeating: "e", count: 1_000_000)] {
      #expect(curves.nearest(to: text) == nil, "\(text.prefix(9))")
    }
    #expect(KnownNames(["run", "bake"]).suggestion(for: "rnu") == "; did you mean “run”?")
    #expect(KnownNames(["x", "y"]).suggestion(for: "z").isEmpty)
    #expect(KnownNames([String]()).nearest(to: "a") == nil)
  }

  @Test func scenesAreFoundInTheSameWay() throws {
    #expect(try SceneSource.load("CameraTour").scene == SceneSource.load("camera-tour").scene)
  }
}
