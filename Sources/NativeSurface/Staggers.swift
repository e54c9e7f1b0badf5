// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
import AnimationModel
public import CSurface
import Murmuration
import Surface

@c @implementation
public func murmuration_stagger_delays(
  _ stagger: UnsafePointer<murmuration_stagger>?, _ count: Int32, _ delays: UnsafeMutablePointer<Double>?
) -> Int32 {
  guard let form = stagger?.pointee else { return failNull("stagger") }
  guard count >= 0 else { return failCount("count", count) }
  guard let delays = delays ?? (count == 0 ? UnsafeMutablePointer(bitPattern: 64) : nil) else {
    return failNull("delays")
  }
  // Swift's own list, its distances and its shares.
  if let fault = roomFault("delays", Int(count), of: (Double, Double, Double).self) { return fault }
  let made: Stagger
  do throws(Defect) { made = try Stagger(form) } catch { return fail(error) }
  for (index, delay) in made.delays(count: Int(count)).enumerated() { delays[index] = delay }
  return ok
}

extension Stagger {
  /// The stagger of a struct.
  fileprivate init(_ form: murmuration_stagger) throws(Defect) {
    guard 0...BatchLimits.maximumTime ~= form.seconds else {
      throw Defect(code: MURMURATION_INVALID_DELAY, reason: "seconds must be in 0...1e10, are \(form.seconds)")
    }
    guard form.columns >= 0 else {
      throw Defect(code: MURMURATION_INVALID_COUNT, reason: "columns must be at least 0, are \(form.columns)")
    }
    guard 0...1 ~= form.is_total else { throw .unlisted("is_total", form.is_total) }
    try Defect.checkReserved(form.reserved)
    let origin: Origin
    switch Int(form.origin) {
    case MURMURATION_FROM_FIRST: origin = .first
    case MURMURATION_FROM_LAST: origin = .last
    case MURMURATION_FROM_CENTER: origin = .center
    case MURMURATION_FROM_EDGES: origin = .edges
    case MURMURATION_FROM_POINT:
      guard form.column.isFinite, form.row.isFinite else {
        throw Defect(
          code: MURMURATION_INVALID_VALUE,
          reason: "column and row must be finite, are \(form.column) and \(form.row)")
      }
      origin = .point(column: form.column, row: form.row)
    case MURMURATION_FROM_RANDOM: origin = .random(seed: form.seed)
    default: throw .unlisted("origin", form.origin)
    }
    let (columns, ease) = (form.columns == 0 ? nil : Int(form.columns), try UnitCurve(form.ease))
    self =
      form.is_total == 1
      ? .over(form.seconds, from: origin, columns: columns, ease: ease)
      : .each(form.seconds, from: origin, columns: columns, ease: ease)
  }
}
