// SPDX-License-Identifier: MIT
import CProcessor
import Murmuration
import Testing

struct KernelSetTests {
  @Test func portableIsAlwaysAvailable() {
    #expect(KernelSet.available.first == .portable)
    #expect(KernelSet.portable.isSupported)
  }

  /// The linker found the kernels of every set that the processor has. The library does not import the wide sets.
  @Test func everySetOfTheProcessorIsLinked() {
    #expect(KernelSet.avx2.isSupported == processor_supports_x86_64_v3())
    #expect(KernelSet.avx512.isSupported == processor_supports_x86_64_v4())
  }

  @Test func unknownNameIsAnErrorThatListsWhatThereIs() {
    #expect(throws: KernelSelectionError.unknownName("sse9")) { try KernelSet(named: "sse9") }
    #expect(KernelSelectionError.unknownName("sse9").description.contains("portable"))
  }

  @Test(arguments: KernelSet.allCases)
  func anUnsupportedSetThrowsEverywhere(_ set: KernelSet) throws {
    if set.isSupported {
      #expect(try KernelSet(named: set.rawValue) == set)
    } else {
      #expect(throws: KernelSelectionError.unsupported(set)) { try KernelSet(named: set.rawValue) }
    }
  }

  @Test func theSelectedSetIsAvailable() throws {
    #expect(KernelSet.available.contains(try KernelSet.selected))
  }
}
