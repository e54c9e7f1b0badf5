// SPDX-License-Identifier: MIT
import Formats
import Foundation
import Scenes

/// Checks the environment before the first input: libFuzzer takes an end of the process within an input for a finding.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutablePointer<CInt>?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
  _ = FuzzSession.shared
  return 0
}

/// One input of libFuzzer. A refusal is as good as a result; a trap, an error of memory or a hang is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let session = FuzzSession.shared
  session.endIfOver()
  session.startWatch()
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  guard let target = session.target else {
    var calls = SurfaceCalls(bytes)
    calls.run()
    return 0
  }
  // The errors are typed: no other kind can come out.
  do throws(FileError) { try target.read(bytes, in: session.folder) } catch {}
  return 0
}

/// The constants of a run: the target that `MURMURATION_FUZZ` names, its length in seconds of processor time, which
/// `MURMURATION_FUZZ_SECONDS` can give, and a folder for its files.
private struct FuzzSession {
  static let shared = FuzzSession()

  /// The reader that is fed; nil for the C surface.
  let target: FuzzTarget?
  let folder: String
  /// Processor time after which the run ends, in the unit of `clock()`, which POSIX fixes: a microsecond.
  private let length: clock_t

  /// Seconds of processor time after which an input counts as a hang.
  private static let limit = 10

  private init() {
    let environment = ProcessInfo.processInfo.environment
    let name = environment["MURMURATION_FUZZ"] ?? ""
    let target = FuzzTarget(rawValue: name)
    if target == nil, name != "surface" {
      let known = (FuzzTarget.allCases.map(\.rawValue) + ["surface"]).joined(separator: ", ")
      FuzzSession.refuse("MURMURATION_FUZZ must name a target (\(known)), is “\(name)”")
    }
    self.target = target
    length =
      environment["MURMURATION_FUZZ_SECONDS"].map { seconds in
        guard let seconds = clock_t(seconds), (1...1_000_000).contains(seconds) else {
          FuzzSession.refuse("MURMURATION_FUZZ_SECONDS must be 1...1000000, is “\(seconds)”")
        }
        return seconds * 1_000_000
      } ?? .max
    folder = FuzzSession.makeFolder()
    FuzzTarget.prepare(folder)
    signal(SIGPROF) { _ in
      // A signal may come in the midst of an allocation: nothing is allocated here.
      let report: StaticString = "the input took more than 10 s of processor time\n"
      _ = write(STDERR_FILENO, report.utf8Start, report.utf8CodeUnitCount)
      abort()
    }
  }

  /// Ends the process because the environment does not allow a run.
  private static func refuse(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("fuzz: \(reason)\n".utf8))
    // A usual exit would report memory in use as leaks, and its status would hide this one.
    _exit(64)
  }

  /// Ends the run before this input if its processor time is over.
  ///
  /// libFuzzer takes SIGUSR1 for the wish to end: it finishes the input, writes its figures, and exits with status 0.
  func endIfOver() {
    if clock() >= length { raise(SIGUSR1) }
  }

  /// Starts the watch anew. It counts processor time, so that a busy machine makes no finding.
  func startWatch() {
    let limit = timeval(tv_sec: FuzzSession.limit, tv_usec: 0)
    var timer = itimerval(it_interval: limit, it_value: limit)
    #if canImport(Darwin)
      setitimer(ITIMER_PROF, &timer, nil)
    #else
      setitimer(CInt(ITIMER_PROF.rawValue), &timer, nil)
    #endif
  }

  /// A new folder for temporary files.
  private static func makeFolder() -> String {
    let folder = "\(NSTemporaryDirectory())/murmuration-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      refuse("\(folder): \(error)")
    }
    return folder
  }
}
