internal import Murmuration
internal import Scenes

/// Answers from the batches: single precision, with the kernels of this machine.
struct BatchEngine: SampleEngine {
  func answer(_ request: SampleRequest) -> SampleAnswer {
    switch request {
    case .spring, .settling: .error("the simd engine is not there yet")
    case .curve: .error("the simd engine has no batch for curves yet; use --engine reference")
    case .timeline: .error("the simd engine has no batch for timelines yet; use --engine reference")
    }
  }
}
