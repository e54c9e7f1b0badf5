// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT
import PackageDescription

// MARK: - Settings

/// Language mode 6 is the default of these tools. The sources are written for the upcoming features listed here.
let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Flags of targets that are optimised in debug builds too, so that tests stay quick; results are the same bits either way.
///
/// They are compiled as whole modules: an incremental build does not notice that the body of a loop that it inlined
/// from another module has changed, and tests would run the old loop. (With one thread, as the index of a debug build
/// needs, and without batches, which would be a warning.) Builds for the address sanitizer are not optimised: .ci/run makes
/// them anew each time, and plays little with them.
let optimized =
  (Context.environment["MURMURATION_FUZZ"] == nil ? ["-O"] : [])
  + ["-whole-module-optimization", "-num-threads", "1", "-disable-batch-mode"]

/// The settings of kernels, with flags of the C compiler for those of wide instruction sets.
func kernel(_ flags: [String] = []) -> [SwiftSetting] {
  common + [.strictMemorySafety(), .unsafeFlags(optimized + flags.flatMap { ["-Xcc", $0] })]
}

/// For the tool's own target, which is built last and hands the work of `run`, `verify`, `render` and `bench` to other
/// targets: optimised, it takes three times as long to build, and of its commands only `sample` is faster.
let quicklyBuilt = common + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The flags of the yardsticks in C, in every configuration: a debug build times the same loops. Their functions name the
/// instruction sets; without the second flag the compiler would split vectors of 64 bytes.
#if arch(x86_64)
  let yardstickFlags = ["-O3", "-mprefer-vector-width=512"]
#else
  let yardstickFlags = ["-O3"]
#endif

#if arch(x86_64)
  let wideKernels: [Target] = [
    .target(
      name: "KernelsAVX2", dependencies: ["Kernels"], swiftSettings: kernel(["-march=x86-64-v3"])),
    .target(
      name: "KernelsAVX512", dependencies: ["Kernels"],
      swiftSettings: kernel(["-march=x86-64-v4", "-mprefer-vector-width=512"])),
  ]
#else
  let wideKernels: [Target] = []
#endif

/// The library: `Murmuration`, which re-exports `MurmurationEngine` and `MurmurationClips`. The kernels of each instruction
/// set are named beside it: the library does not import them, so that both compile at the same time; see `wide_kernels.h`.
let libraryNames = ["Murmuration", "KernelsPortable"] + wideKernels.map(\.name)
let library = libraryNames.map { Target.Dependency.target(name: $0) }

// MARK: - Package

let package = Package(
  name: "murmuration",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Murmuration", targets: libraryNames),
    .library(name: "Rigs", targets: ["Rigs"] + libraryNames),
    .library(name: "ModalMotion", targets: ["ModalMotion", "Rigs"] + libraryNames),
    .library(name: "ColumnKernels", targets: ["ColumnKernels"] + libraryNames),
    .library(name: "Formats", targets: ["Formats", "Rigs"] + libraryNames),
    .library(name: "MurmurationReference", targets: ["MurmurationReference"] + libraryNames),
    .library(name: "murmuration-c", type: .dynamic, targets: ["Surface", "NativeSurface", "CSurface"] + libraryNames),
    .executable(name: "murmuration", targets: ["MurmurationTool"]),
    .executable(name: "murmuration-serve", targets: ["MurmurationServe"]),
  ],
  traits: [
    .trait(name: "OpenBLAS", description: "Use OpenBLAS for matrix products; without it our own loops do the work."),
    .default(enabledTraits: ["OpenBLAS"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // MARK: Public API
    .target(name: "AnimationModel", swiftSettings: common + [.unsafeFlags(optimized)]),
    .target(
      name: "MurmurationClips", dependencies: ["AnimationModel", "Kernels", "CProcessor"],
      swiftSettings: common + [.strictMemorySafety(), .unsafeFlags(optimized)]),
    .target(
      name: "MurmurationEngine", dependencies: ["MurmurationClips", "AnimationModel", "Kernels", "CProcessor"],
      swiftSettings: common + [.strictMemorySafety()]),
    .target(
      name: "Murmuration",
      dependencies: ["MurmurationEngine", "MurmurationClips", "AnimationModel", "Kernels"],
      swiftSettings: common + [.strictMemorySafety()]),
    .target(
      name: "Rigs", dependencies: ["Murmuration", "Kernels"], swiftSettings: common + [.strictMemorySafety()]),
    .target(
      name: "ModalMotion", dependencies: ["Rigs", "Murmuration", "AnimationModel", "Kernels"],
      swiftSettings: common + [.strictMemorySafety()]),
    .target(
      name: "ColumnKernels", dependencies: ["Murmuration", "Kernels"],
      swiftSettings: common + [.strictMemorySafety()]),

    // MARK: Kernels
    .target(name: "Kernels", dependencies: ["CProcessor"], swiftSettings: kernel()),
    .target(name: "KernelsPortable", dependencies: ["Kernels"], swiftSettings: kernel()),
    .target(name: "CProcessor"),

    // MARK: C
    .target(name: "CSurface"),
    .target(name: "Surface", dependencies: ["AnimationModel", "Murmuration", "CSurface"], swiftSettings: common),
    // What the modules for the web leave out.
    .target(
      name: "NativeSurface",
      dependencies: [
        "Surface", "CSurface", "Murmuration", "MurmurationClips", "Rigs", "ColumnKernels", "Formats", "Scenes",
        "MurmurationReference",
      ],
      swiftSettings: common),

    // MARK: Tool
    .target(
      name: "MurmurationReference",
      dependencies: ["AnimationModel", "Murmuration", "Rigs", "ModalMotion", "Kernels", "Formats"],
      swiftSettings: common),
    .target(name: "Text", swiftSettings: common),
    .target(name: "Charts", dependencies: ["Text"], swiftSettings: common),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .target(name: "Render", dependencies: ["Kernels", "CPNG", "Charts"], swiftSettings: common),
    .target(name: "Formats", dependencies: ["Murmuration", "Rigs", "Kernels", "Text"], swiftSettings: common),
    .target(
      name: "Scenes", dependencies: ["Murmuration", "ModalMotion", "Kernels", "Formats", "Text"],
      swiftSettings: common),
    .target(
      name: "SceneReference",
      dependencies: ["Scenes", "MurmurationReference", "Murmuration", "ModalMotion", "Formats"], swiftSettings: common),
    .target(
      name: "ScenePictures", dependencies: ["Scenes", "Render", "Murmuration", "Kernels", "Formats"],
      swiftSettings: common),
    .target(name: "CYardsticks", cSettings: [.unsafeFlags(yardstickFlags)]),
    .target(
      name: "Bench",
      dependencies: ["Murmuration", "Rigs", "ModalMotion", "ColumnKernels", "Kernels", "Text", "CYardsticks"],
      swiftSettings: common),
    .executableTarget(
      name: "MurmurationTool",
      dependencies: library + [
        "MurmurationReference", "Scenes", "SceneReference", "ScenePictures", "Formats", "Charts", "Render", "Text",
        "Kernels", "Bench",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: quicklyBuilt),
    // A product of its own, so that building `murmuration` does not wait 22 s of processor time for FlyingFox.
    .executableTarget(
      name: "MurmurationServe",
      dependencies: [
        .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: common),

    // MARK: Examples
    .executableTarget(
      name: "Examples",
      dependencies: library + [
        "Rigs", "Scenes", "Formats", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: common),

    // MARK: Tests
    .target(name: "TestSupport", dependencies: library, path: "Tests/TestSupport", swiftSettings: common),
    .testTarget(
      name: "AnimationModelTests", dependencies: ["AnimationModel", "Murmuration", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "KernelsTests",
      dependencies: ["Kernels", "KernelsPortable", "Murmuration", "MurmurationEngine", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "MurmurationTests",
      dependencies: [
        "MurmurationReference", "Murmuration", "MurmurationEngine", "MurmurationClips", "Kernels", "CProcessor",
        "TestSupport",
      ],
      swiftSettings: common),
    .testTarget(
      name: "RigsTests",
      dependencies: ["Rigs", "MurmurationReference", "Murmuration", "AnimationModel", "Kernels", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "ModalMotionTests",
      dependencies: ["ModalMotion", "Rigs", "MurmurationReference", "Murmuration", "Kernels", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "ColumnKernelsTests",
      dependencies: ["ColumnKernels", "MurmurationEngine", "Murmuration", "AnimationModel", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "SurfaceTests",
      dependencies: library + [
        "Surface", "NativeSurface", "CSurface", "AnimationModel", "Kernels", "Rigs", "Scenes", "TestSupport",
      ],
      swiftSettings: common),
    .testTarget(
      name: "MurmurationReferenceTests", dependencies: ["MurmurationReference", "Murmuration", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "ChartsTests", dependencies: ["Charts", "Text", "Murmuration", "TestSupport"], swiftSettings: common),
    .testTarget(
      name: "ExamplesTests",
      dependencies: ["Examples", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: common),
    .testTarget(
      name: "BenchTests", dependencies: library + ["Bench", "CYardsticks", "TestSupport"], swiftSettings: common),
    .testTarget(name: "RenderTests", dependencies: ["Render", "CPNG"], swiftSettings: common),
    .testTarget(
      name: "FormatsTests", dependencies: library + ["Formats", "Text", "AnimationModel", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "ScenesTests",
      dependencies: [
        "Scenes", "SceneReference", "MurmurationReference", "ModalMotion", "Rigs", "Formats", "Text", "Murmuration",
        "AnimationModel", "TestSupport",
      ],
      swiftSettings: common),
    .testTarget(
      name: "MurmurationToolTests",
      dependencies: [
        "MurmurationTool", "Scenes", "SceneReference", "ScenePictures", "MurmurationReference", "Formats", "Render",
        "Text", "TestSupport",
      ],
      swiftSettings: common),
    .testTarget(name: "MurmurationServeTests", dependencies: ["MurmurationServe"], swiftSettings: common),
  ] + wideKernels
)

// MARK: - Some of the tests

// `Scripts/test --only` names test targets: the others, and what they alone need, are not built.
if let names = Context.environment["MURMURATION_TESTS"]?.split(separator: ",") {
  package.targets.removeAll { target in target.type == .test && !names.contains { $0 == target.name } }
}

// MARK: - Fuzzer and check of threads

// Built by Scripts/fuzz and Scripts/sanitize alone. Both read sources of other targets through links in their folders.
if Context.environment["MURMURATION_FUZZ"] != nil {
  package.targets += [
    .executableTarget(
      name: "Fuzz",
      dependencies: library + [
        "Scenes", "SceneReference", "Formats", "Text", "Surface", "NativeSurface", "CSurface",
      ],
      exclude: ["Sample/SampleCommand.swift", "Output/Terminal.swift"],
      swiftSettings: common + [.define("FUZZ"), .unsafeFlags(["-parse-as-library"])]),
    .executableTarget(name: "ThreadCheck", dependencies: ["CProcessor"], swiftSettings: common),
  ]
}
