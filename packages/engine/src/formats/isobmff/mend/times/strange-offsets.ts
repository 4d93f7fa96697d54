import { flip } from '../bits.ts'

/** Samples, and share of all, that have an offset which is usual; those that have one which is not. */
const USUAL = { samples: 4, share: 0.02 }
const RARE = 2

/**
 * Mends composition offsets that hardly any sample has, and with which a sample is shown at no time there is or at another's:
 * where one flipped bit made it of a usual one, and only one of those leads to a time that no sample has.
 * @param offsets in ticks, changed in place
 * @param slotOf index of the time at which a sample with an offset is shown, −1 for none
 * @returns how many were changed
 */
export function mendStrangeOffsets(
  offsets: Float64Array,
  slotOf: (sample: number, offset: number) => number,
): number {
  const uses = new Map<number, number>()
  for (const offset of offsets) uses.set(offset, (uses.get(offset) ?? 0) + 1)
  const least = Math.max(USUAL.samples, offsets.length * USUAL.share)
  const taken = new Uint32Array(offsets.length)
  for (const [sample, offset] of offsets.entries()) {
    const slot = slotOf(sample, offset)
    if (slot >= 0) taken[slot]++
  }
  let strangers: number[] = []
  for (const [sample, offset] of offsets.entries())
    if ((uses.get(offset) ?? 0) <= RARE) strangers.push(sample)
  let changed = 0
  for (let before = -1; before < changed; ) {
    before = changed
    strangers = strangers.filter((sample) => {
      const slot = slotOf(sample, offsets[sample])
      if (slot >= 0 && taken[slot] < 2) return true
      const free = BITS.map((bit) => flip(offsets[sample], bit) | 0).filter((offset) => {
        const other = (uses.get(offset) ?? 0) >= least ? slotOf(sample, offset) : -1
        return other >= 0 && taken[other] === 0
      })
      if (free.length !== 1) return true
      if (slot >= 0) taken[slot]--
      taken[slotOf(sample, free[0])]++
      offsets[sample] = free[0]
      changed++
      return false
    })
  }
  return changed
}

const BITS = Array.from({ length: 32 }, (_, bit) => bit)
