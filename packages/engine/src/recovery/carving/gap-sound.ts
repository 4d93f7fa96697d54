import type { ByteReader } from '../../bytes/reader.ts'
import { pcmLayoutOf } from '../../codecs/pcm/layout.ts'
import { PcmLikeness } from '../../codecs/pcm/likeness.ts'
import { blocksInGap, ZEROED } from './gap-blocks.ts'
import type { Lane } from './lane.ts'
import type { PlacedPiece } from './placed-piece.ts'

/** Bytes looked at from each end of a gap: some seconds of sound. */
const LOOK = 1 << 20
/** A boundary found by ear is this many sample frames off at most; a usual length that near is taken instead. */
const NEAR_FRAMES = 96

/** Fewer sample frames than these are no sound beside a hole: any few bytes sound like some. */
const LEAST_FRAMES = 256

/**
 * Finds plain sound at the start and at the end of a gap that also holds other, unknown bytes, by how its samples sound; in coded
 * blocks by how they go on. Lengths near a usual one (`usual`, bytes) are taken to be that one. `cut`: nothing stands at `until`,
 * the bytes end there. Undefined when the lane's samples cannot be judged.
 */
export function soundInGap(
  reader: ByteReader,
  lane: Lane,
  usual: readonly number[],
  at: number,
  until: number,
  cut: boolean,
): PlacedPiece[] | undefined {
  const layout = pcmLayoutOf(lane.description)
  if (!layout) return blocksInGap(reader, lane, at, until)
  const likeness = new PcmLikeness(layout)
  const { blockAlign } = layout
  const length = until - at
  const whole = Math.floor(length / blockAlign) * blockAlign
  const head = snap(likeness.extent(reader.bytes(at, Math.min(length, LOOK))), usual, blockAlign, length)
  if (head >= whole - NEAR_FRAMES * blockAlign) {
    const sounding = withoutDamage(
      whole,
      leadingZeros(reader.bytes(until - whole, Math.min(whole, LOOK))),
      usual,
      blockAlign,
    )
    const kept = sounding - unusual(sounding, usual)
    return kept > 0 ? [{ lane: lane.index, offset: cut ? at : until - kept, length: kept }] : []
  }
  // frames of sound that ends at the gap's end count back from there
  const window = Math.floor(Math.min(length - head, LOOK) / blockAlign) * blockAlign
  const tail = window - likeness.onset(reader.bytes(until - window, window))
  const tailLength = snap(tail, usual, blockAlign, length - head)
  const silentTail = leadingZeros(reader.bytes(until - tailLength, tailLength))
  const ending = withoutDamage(tailLength, silentTail, usual, blockAlign)
  const silentHead = leadingZeros(reader.bytes(at, head).slice().reverse())
  const beginning = withoutDamage(head, silentHead, usual, blockAlign)
  const pieces: PlacedPiece[] = []
  const least = LEAST_FRAMES * blockAlign
  if (beginning >= least) pieces.push({ lane: lane.index, offset: at, length: beginning })
  if (ending >= least) pieces.push({ lane: lane.index, offset: until - ending, length: ending })
  return pieces
}

/** Bits by which bytes in front of sound must sound like more of it, and the half further from it by itself. */
const SURE = 24
const SURE_HALF = 12
/** Sample frames behind that tell how loud it is. */
const LEAD = 64

/** Whether the bytes from `from` to `until`, where sound stands, sound like the sound before it. */
export function isSoundBefore(
  reader: ByteReader,
  { description }: Pick<Lane, 'description'>,
  from: number,
  until: number,
): boolean {
  const layout = pcmLayoutOf(description)
  if (!layout) return false
  const { blockAlign } = layout
  const likeness = new PcmLikeness(layout)
  const frames = Math.floor(Math.min(until - from, LOOK) / blockAlign)
  const start = until - frames * blockAlign
  const bytes = reader.bytes(start, (frames + LEAD) * blockAlign)
  let near = 0
  let far = 0
  for (let frame = Math.floor(bytes.length / blockAlign) - 1; frame >= 0; frame--) {
    const bits = likeness.frame(bytes, frame * blockAlign)
    if (frame >= frames) continue
    if (frame >= frames / 2) near += bits
    else far += bits
  }
  return near + far >= SURE && far >= SURE_HALF
}

/** Distinct lengths that still make a regular layout, the recording's last one among them. */
const REGULAR_LENGTHS = 3

/** Bytes by which sound is longer than any usual piece in a regular layout: noise sounds like sound. */
function unusual(length: number, usual: readonly number[]): number {
  const lengths = new Set(usual)
  if (lengths.size === 0 || lengths.size > REGULAR_LENGTHS) return 0
  return Math.max(0, length - Math.max(...lengths))
}

function leadingZeros(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? bytes.length : first
}

/**
 * The length of sound whose outer `zeros` bytes, towards the damage, sound like silence but may be zeroed: the usual length that
 * keeps fewest of them, or none of them.
 */
function withoutDamage(length: number, zeros: number, usual: readonly number[], blockAlign: number): number {
  if (zeros < ZEROED || usual.includes(length)) return length
  const sounding = Math.ceil((length - zeros) / blockAlign) * blockAlign
  if (sounding <= 0) return 0
  const longer = usual.filter((candidate) => candidate >= sounding && candidate <= length)
  return longer.length > 0 ? Math.min(...longer) : sounding
}

/** The usual length nearest to `found`, when it is as good as that; `found` in whole frames otherwise. */
function snap(found: number, usual: readonly number[], blockAlign: number, room: number): number {
  if (found === 0) return 0
  let best = found
  let distance = NEAR_FRAMES * blockAlign
  for (const candidate of usual) {
    const apart = Math.abs(candidate - found)
    if (candidate <= room && apart <= distance) {
      best = candidate
      distance = apart
    }
  }
  return Math.min(best, Math.floor(room / blockAlign) * blockAlign)
}
