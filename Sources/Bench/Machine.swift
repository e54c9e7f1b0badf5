// SPDX-License-Identifier: MIT
import Foundation
import Murmuration

/// The machine on which figures are measured.
package struct Machine: Codable {
  package var processor: String
  var cores: Int
  var instructionSets: [String]
  var operatingSystem: String
  /// Whether the tool was built with optimisation; figures of a debug build mean little.
  var optimised: Bool

  /// This machine.
  static var current: Machine {
    Machine(
      processor: processorName() ?? "unknown", cores: ProcessInfo.processInfo.activeProcessorCount,
      instructionSets: KernelSet.available.map(\.rawValue),
      operatingSystem: ProcessInfo.processInfo.operatingSystemVersionString, optimised: isOptimised)
  }

  private static var isOptimised: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  private static func processorName() -> String? {
    guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else {
      return nil
    }
    var fields: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2, fields[parts[0]] == nil {
        fields[parts[0]] = parts[1]
      }
    }
    guard let name = fields["model name"] else {
      return nil
    }
    // Virtual machines often hide the name; family and model identify the design.
    return "\(name), family \(fields["cpu family"] ?? "?") model \(fields["model"] ?? "?")"
  }
}
