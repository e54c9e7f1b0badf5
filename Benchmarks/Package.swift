// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT
// The benchmarks of developers: a separate package, so that users of the library resolve no dependency of it.
//
//     swift package benchmark                              everything
//     swift package benchmark --filter 'spring.*'          a part
//     swift package --allow-writing-to-package-directory benchmark baseline update main
//     swift package benchmark baseline compare main        before and after a change
//
// Wall clock times depend on the machine and on its other work, so compare p0 or p25 of runs made by turns. Allocations
// depend on the code alone: `Scripts/check-allocations` fails if there are more than `Thresholds/` allows.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let products: [Target.Dependency] = ["Murmuration", "Rigs", "ModalMotion"].map {
  .product(name: $0, package: "murmuration")
}

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "murmuration", path: ".."),
    // Its allocation counters are traits that need preloaded libraries; CAllocations counts without them.
    .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
  ],
  targets: [
    .target(name: "CAllocations", path: "CAllocations"),
    .executableTarget(name: "Client", dependencies: products, path: "Client"),
    .executableTarget(
      name: "MurmurationBenchmarks",
      dependencies: products + ["CAllocations", .product(name: "Benchmark", package: "benchmark")],
      path: "MurmurationBenchmarks",
      swiftSettings: settings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ]
)
