import type { Findings } from '../../../model/finding.ts'
import { headerMended } from '../findings.ts'
import { differByOneBit } from './bits.ts'
import type { Patches } from './patched-source.ts'

/** Bytes of one sample of PCM formats that leave no choice. */
const FIXED_BYTES: Readonly<Record<string, number>> = { in24: 3, in32: 4, fl32: 4, fl64: 8, ulaw: 1, alaw: 1 }
/** Formats of 8 or 16 bits, as their entry says. */
const NARROW: readonly string[] = ['twos', 'sowt']

/**
 * Mends a flipped bit in the channel count of the only PCM sample entry of a `stsd` box at an offset (ISO/IEC 14496-12:2022
 * §12.2.3; in the QuickTime File Format the sound sample description of version 0 and 1), where the size that all samples have in
 * the `stsz` box at another offset asks for it, or in that size, where the file has no room for as many samples of it. A size of
 * one byte is no size of a sample there, and tells nothing.
 */
export function mendSoundChannels(
  patches: Patches,
  description: number,
  sizes: number,
  findings: Findings,
): void {
  const entry = description + 16
  const frame = patches.u32(sizes + 12)
  const frames = patches.u32(sizes + 16)
  // versions from 2 on keep their channels elsewhere
  if (patches.u32(description + 12) !== 1 || patches.u32(entry + 16) >>> 16 > 1 || frame <= 1) return
  const format = patches.fourcc(entry + 4)
  const counts = patches.u32(entry + 24)
  const channels = counts >>> 16
  const bytes = FIXED_BYTES[format] ?? (NARROW.includes(format) ? ((counts & 0xffff) === 8 ? 1 : 2) : 0)
  const stated = channels * bytes
  const wanted = frame / bytes
  if (
    stated > 0 &&
    differByOneBit(stated, frame) &&
    frame * frames > patches.size &&
    stated * frames <= patches.size
  ) {
    findings.add(headerMended(sizes, `samples of ${frame} bytes in 'stsz'`, `${stated}`))
    patches.put32(sizes + 12, stated)
  } else if (Number.isInteger(wanted) && differByOneBit(wanted, channels)) {
    findings.add(headerMended(entry, `${channels} channels of '${format}'`, `${wanted}`))
    patches.put32(entry + 24, ((wanted << 16) | (counts & 0xffff)) >>> 0)
  }
}
