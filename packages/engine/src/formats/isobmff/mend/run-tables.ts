import { ENTRY_BYTES, isKnown } from './known-boxes.ts'
import type { Patches } from './patched-source.ts'

/** A box of a sample table box. */
interface TableBox {
  readonly offset: number
  readonly size: number
  readonly type: string
}

/**
 * Which boxes of a sample table box that nothing names are its durations or composition offsets, where it has none: those that
 * runs of all samples together fill (ISO/IEC 14496-12:2022 §8.6.1.2, §8.6.1.3).
 */
export function unnamedRuns<Found extends TableBox>(
  patches: Patches,
  found: readonly Found[],
): { readonly box: Found; readonly type: string }[] {
  const sizes = found.find(({ type, size }) => type === 'stsz' && size >= 20)
  const samples = sizes ? patches.u32(sizes.offset + 16) : 0
  const unnamed = found.filter((box) => !isKnown(box.type) && holdsRuns(patches, box, samples))
  const missing = ['stts', 'ctts'].find((type) => found.every((box) => box.type !== type))
  // of two nobody knows which is which
  return missing !== undefined && unnamed.length === 1 ? [{ box: unnamed[0], type: missing }] : []
}

/** Whether a box is filled by runs that are of so many samples together. */
function holdsRuns(patches: Patches, { offset, size }: TableBox, samples: number): boolean {
  const runs = size >= 24 ? patches.u32(offset + 12) : 0
  if (runs === 0 || size !== 16 + runs * ENTRY_BYTES.ctts) return false
  let total = 0
  for (let at = offset + 16; at < offset + size && total <= samples; at += ENTRY_BYTES.ctts)
    total += patches.u32(at)
  return total === samples
}
