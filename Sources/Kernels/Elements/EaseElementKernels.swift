// SPDX-License-Identifier: MIT

#if !REAL_TIME_ONLY
  extension InstructionSet {
    /// Evaluates a curve whose pieces cover the progress from 0 to 1.
    ///
    /// The pieces are looked up by ticks, as those of clips. What a progress outside of 0…1 finds there is replaced.
    @inline(never)
    @export(implementation)
    static func easeElements(_ pieces: PieceTable, _ elements: EaseElements, count: Int) {
      let (start, ticks) = (splatDouble(Double(ClipTick.start)), splatDouble(ClipTick.count))
      Block.withLine { line in
        let shares = line.rebound(to: Float.self)
        let output = PlaybackColumns(
          origin: .empty, base: .empty, rate: .empty, scale: nil, offset: nil, value: shares, velocity: .empty,
          dimensionStride: 0, dimensions: 1)
        TickBlock.withBlock { lent in
          var (block, first) = (lent, 0)
          while first < count {
            block.laneCount = count &- first < laneCountOfBlock ? count &- first : laneCountOfBlock
            var index = 0
            while index < block.laneCount {
              let progress = elements.progress.lanes(Self.self, first &+ index)
              block.ticks.store(nearestInts(start + widen(progress) * ticks), at: index)
              index &+= Floats.scalarCount
            }
            evaluate(pieces, block, output, at: 0, ValueOnly.self, Plain.self)
            index = 0
            while index < block.laneCount {
              storeShare(load(shares, index), elements, at: first &+ index)
              index &+= Floats.scalarCount
            }
            first &+= block.laneCount
          }
        }
      }
    }

    /// Stores the value of a share, or of the share of an end.
    @export(implementation) @inline(__always)
    static func storeShare(_ inside: Floats, _ elements: EaseElements, at lane: Int) {
      let progress = elements.progress.lanes(Self.self, lane)
      // The bits of Floats from 0 up are in their order, with NaN last; those of negative ones are negative integers.
      let bits = unsafe unsafeBitCast(progress, to: Ints.self)
      let size = unsafe unsafeBitCast(magnitude(progress), to: Ints.self)
      var share = blend(isGreater(Ints(repeating: 1), bits), splat(elements.first), inside)
      let beforeOne = Ints(repeating: Int32(bitPattern: Float(1).bitPattern) &- 1)
      share = blend(isGreater(bits, beforeOne), splat(elements.last), share)
      share = blend(isGreater(size, Ints(repeating: Int32(bitPattern: Float.infinity.bitPattern))), progress, share)
      if let range = elements.range {
        let (from, to) = (range.from.lanes(Self.self, lane), range.to.lanes(Self.self, lane))
        // Exact at both ends.
        share = fusedMultiplyAdd(share, to, fusedMultiplyAdd(Floats.zero - share, from, from))
      }
      elements.values.store(share, at: lane)
    }
  }
#endif
