import type { ByteReader } from '../../bytes/reader.ts'
import type { PcmLayout } from '../../codecs/pcm/layout.ts'
import { PcmLikeness } from '../../codecs/pcm/likeness.ts'

/** Bytes of plain sound that are listened to for one break. */
const MOST = 1 << 20
/** Bits that sound must show to be heard, and by which one place of a break must sound better than those it is held against. */
const SURE = 24
/** Bits that the frames next to a break may take from what it sounds like. */
const SLACK = 12

/**
 * Whether bytes were put in within plain sound, behind it or in front of it, or are missing in front of it, by how it sounds: its
 * beginning is read at `before`, its end at `behind`, both offsets in the file of its first byte. Undefined when that tells
 * nothing, as where bytes are missing within it: what is left joins in either reading.
 * @param size bytes of the sound
 * @returns how many bytes from its start on lie at `before`; all others lie at `behind`
 */
export function breakInSound(
  reader: ByteReader,
  layout: PcmLayout,
  before: number,
  behind: number,
  size: number,
): number | undefined {
  const { blockAlign } = layout
  const frames = Math.floor(size / blockAlign)
  if (frames === 0 || size > MOST || Math.min(before, behind) < 0) return undefined
  if (Math.max(before, behind) + size > reader.size) return undefined
  const likeness = new PcmLikeness(layout)
  const heads = sums(likeness, reader.bytes(before, size), frames, false)
  const tails = sums(likeness, reader.bytes(behind, size), frames, true)
  const [inFront, after] = [tails[0], heads[frames]]
  let best = 0
  const total = (head: number): number => heads[head] + tails[head]
  if (behind > before) for (let head = 1; head <= frames; head++) if (total(head) > total(best)) best = head
  if (total(best) < SURE) return undefined
  if (inFront >= after + SURE && inFront >= total(best) - SLACK) return 0
  if (behind < before || total(best) < inFront + SURE) return undefined
  return after >= total(best) - SLACK ? size : best * blockAlign
}

/**
 * Bits by which the first frames speak for sound, for each number of them; `fromEnd`: those from each frame on, heard backwards.
 */
function sums(likeness: PcmLikeness, bytes: Uint8Array, frames: number, fromEnd: boolean): Float64Array {
  const { blockAlign } = likeness.layout
  const result = new Float64Array(frames + 1)
  likeness.reset()
  for (let i = 0; i < frames; i++) {
    if (fromEnd) {
      const frame = frames - 1 - i
      result[frame] = result[frame + 1] + likeness.frame(bytes, frame * blockAlign)
    } else result[i + 1] = result[i] + likeness.frame(bytes, i * blockAlign)
  }
  return result
}
