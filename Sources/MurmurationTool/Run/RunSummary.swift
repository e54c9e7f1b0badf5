internal import Murmuration
internal import Scenes

/// What a run says about itself at its end.
struct RunSummary {
  private let run: SceneRun
  private let kernelTracks: Int
  private let modelTracks: Int
  private let clock: KernelClock
  private let check: SceneCheck?

  init(run: SceneRun, player: borrowing ScenePlayer, check: SceneCheck?) {
    self.run = run
    kernelTracks = player.kernelTracks
    modelTracks = player.modelTracks
    clock = player.kernelClock
    self.check = check
  }

  /// The whole summary, a line a fact.
  var text: String {
    let scene = run.playable.scene
    let shape = run.playable.shape
    var lines = [
      row("scene", scene.name.isEmpty ? "(without a name)" : scene.name),
      row(
        "frames",
        "\(shape.frames) at \(NumberText.short(scene.framesPerSecond)) a second "
          + "(\(fixed(Double(shape.frames) / scene.framesPerSecond, 2)) s)"),
      row("tracks", "\(shape.tracks) in \(shape.dimensions) \(shape.dimensions == 1 ? "dimension" : "dimensions")"),
      row("", "\(kernelTracks) played by kernels (\(run.kernels.rawValue)), \(modelTracks) by the model"),
    ]
    lines += kernelLines(frames: shape.frames)
    if let check { lines.append(checkLines(check)) }
    if let path = run.outputPath {
      lines.append(
        row("output", "\(path): [\(shape.frames), \(shape.tracks), \(shape.dimensions)] float32"))
    } else {
      lines.append(row("output", "none; --output FILE.npy or FILE.csv writes the frames"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func kernelLines(frames: Int) -> [String] {
    guard kernelTracks > 0, clock.evaluations > 0 else { return [] }
    let perFrame = clock.seconds * 1e9 / (Double(kernelTracks) * Double(frames))
    let perEvaluation = clock.seconds * 1e9 / Double(clock.evaluations)
    let evaluationsPerFrame = Double(clock.evaluations) / (Double(kernelTracks) * Double(frames))
    return [
      row("kernels", "\(fixed(perFrame, 3)) ns a kernel track and frame"),
      row("", "\(fixed(evaluationsPerFrame, 2)) evaluations a frame, \(fixed(perEvaluation, 3)) ns a track each"),
      row("roofline", rooflineText),
    ]
  }

  private var rooflineText: String {
    let bytes = Double(clock.bytes) / Double(clock.evaluations)
    guard let bandwidth = Roofline.copyBandwidth(bytes: Int(bytes) * kernelTracks) else {
      return "\(fixed(bytes, 0)) bytes a track; copy bandwidth not measured here"
    }
    let share = Double(clock.bytes) / bandwidth / clock.seconds
    return "\(fixed(100 * share, 0)) % of the copy bandwidth (\(fixed(bytes, 0)) bytes a track)"
  }

  /// What the check found.
  func checkLines(_ check: SceneCheck) -> String {
    guard check.tracks > 0 else {
      return row("verify", "nothing to compare: the model itself played every track")
    }
    let share = fixed(100 * Double(check.tracks) / Double(max(1, kernelTracks)), 1)
    return [
      row("verify", "\(check.passed ? "passed" : "FAILED") against the Double model"),
      row(
        "", "\(check.tracks) of \(kernelTracks) kernel tracks (\(share) %), every frame, \(check.comparisons) values"),
      worstRow("value", check.value),
      worstRow("velocity", check.velocity),
    ].joined(separator: "\n")
  }

  private func worstRow(_ name: String, _ worst: SceneCheck.Worst) -> String {
    row(
      "",
      "\(name): largest error \(brief(worst.error)), bound \(brief(worst.bound)) there "
        + "(\(fixed(100 * worst.share, 1)) %; \(worst.place))")
  }

  private func row(_ name: String, _ text: String) -> String {
    name + String(repeating: " ", count: max(1, 10 - name.count)) + text
  }

  /// `number` with three significant digits, in any locale.
  private func brief(_ number: Double) -> String {
    guard number.isFinite, number != 0 else { return NumberText.short(number) }
    // Powers of ten by products: the errors here are far from where those lose a digit of three.
    var (digits, exponent) = (abs(number), 0)
    while digits >= 9.995 { (digits, exponent) = (digits / 10, exponent + 1) }
    while digits < 0.9995 { (digits, exponent) = (digits * 10, exponent - 1) }
    let sign = number < 0 ? "-" : ""
    return "\(sign)\(fixed(digits, 2))e\(exponent)"
  }

  /// `number` with so many decimals, in any locale.
  private func fixed(_ number: Double, _ decimals: Int) -> String {
    let factor = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
    let scaled = (abs(number) * factor).rounded()
    // Beyond 2⁵³ there are no decimals left to show.
    guard scaled < 0x1p53 else { return NumberText.short(number) }
    let text = "\(Int(scaled))"
    let padded = String(repeating: "0", count: max(0, decimals + 1 - text.count)) + text
    let sign = number < 0 ? "-" : ""
    return decimals == 0 ? sign + padded : sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }
}
