import { randomNumbers } from '../../../../src/bytes/damage.ts'
import { type FixtureName, fixture } from './fixtures.ts'

/**
 * Films that are hurt, and what stands beside them: every kind of pictures, sound, index and protection, each of some ten
 * thousand bytes.
 */
const FILMS: readonly FixtureName[] = [
  ...([
    'h264-aac.mp4',
    'h264-aac-fragmented.mp4',
    'h264-two-aac.mov',
    'h264-pcm.mov',
    'h264-mono.mp4',
  ] as const),
  ...(['h264-opus.mp4', 'hevc-aac.mp4', 'mpeg4-aac.mp4', 'mjpeg-pcm.mov', 'prores-pcm.mov'] as const),
  ...(['h264-aac-encrypted.mp4', 'h264-aac-encrypted-fragmented.mp4'] as const),
]
const BESIDE: readonly FixtureName[] = [
  ...FILMS,
  ...(['h264-aac-twin.mp4', 'mpeg4-aac-larger.mp4', 'mjpeg-pcm-larger.mov', 'h264-opus-larger.mp4'] as const),
]
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'moof', 'traf', 'mvex'])

interface Place {
  readonly at: number
  readonly size: number
}

/** The boxes of an index, large ones no more often than small ones. */
function boxesOf(bytes: Uint8Array, start = 0, end = bytes.length, within = false): Place[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const found: Place[] = []
  for (let at = start; at + 8 <= end; ) {
    const size = view.getUint32(at)
    if (size < 8 || at + size > end) break
    const isContainer = CONTAINERS.has(String.fromCharCode(...bytes.subarray(at + 4, at + 8)))
    if (isContainer || within) found.push({ at, size })
    if (isContainer) found.push(...boxesOf(bytes, at + 8, at + size, true))
    at += size
  }
  return found
}

export interface Hurt {
  readonly name: FixtureName
  readonly film: Uint8Array
  readonly beside: FixtureName | undefined
  readonly sample: Uint8Array | undefined
}

/** Where a type of box begins, each time that it is there. */
function placesOf(bytes: Uint8Array, type: string): number[] {
  return [...Buffer.from(bytes).toString('latin1').matchAll(new RegExp(type, 'g'))].map(({ index }) => index)
}

/** A recording of another clock, another way up, without its last track, or whose fragments do not say when they start. */
function altered(bytes: Uint8Array, kind: number, much: number): Uint8Array {
  const copy = Buffer.from(bytes)
  const clocks = placesOf(copy, 'mdhd').map((at) => at + 16)
  const slower = (at: number | undefined): void => {
    if (at) copy.writeUInt32BE(Math.round(copy.readUInt32BE(at) * much), at)
  }
  if (kind === 0) slower(clocks[0])
  else if (kind === 1) slower(clocks[1])
  else if (kind === 2) {
    // ISO/IEC 14496-12:2022 §8.3.2: a quarter turn
    const matrix = placesOf(copy, 'tkhd')[0] + 44
    for (const [i, value] of [0, 0x10000, 0, -0x10000, 0].entries()) copy.writeInt32BE(value, matrix + 4 * i)
  } else if (kind === 3) copy.write('free', placesOf(copy, 'trak').at(-1) ?? 0, 'latin1')
  else for (const at of placesOf(copy, 'tfdt')) copy.write('free', at, 'latin1')
  return Uint8Array.from(copy)
}

/** Shares by which clocks are altered: of 24, 30 and 60 pictures beside 25, and of sound at 44.1 kHz beside 48. */
const PACES = [24 / 25, 30 / 25, 60 / 25, 44.1 / 48]

/**
 * A film drawn by its number: hit in boxes of its index or without it, its payload whole or not, beside a sample of any kind or
 * none. Those that are `changed` are of another clock than their sample or another way up, have another recording behind them, or
 * lack a track.
 */
export function hurt(seed: number, changed = false): Hurt {
  const random = randomNumbers(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const name = FILMS[below(FILMS.length)]
  const beside = below(4) === 0 ? undefined : below(2) === 0 ? name : BESIDE[below(BESIDE.length)]
  let film: Uint8Array = Uint8Array.from(fixture(name))
  let sample = beside && fixture(beside)
  if (changed) {
    const [kind, pace] = [below(7), PACES[below(PACES.length)]]
    if (kind < 4 && sample && below(3) > 0) sample = altered(sample, kind, pace)
    else if (kind < 5) film = altered(film, kind, pace)
    else film = Uint8Array.from([...film, ...fixture(FILMS[below(FILMS.length)])])
  }
  const boxes = boxesOf(film)
  const isLost = below(3) === 0
  if (isLost) for (const { at, size } of boxes) film.fill(0, at + 4, at + size)
  for (let hits = isLost ? 0 : below(4); hits > 0; hits--) {
    const { at, size } = boxes[below(boxes.length)]
    const kind = below(5)
    if (kind === 0) film.fill(0, at + 8 + below(size - 8), at + size)
    else if (kind === 1) film[at + 4 + below(4)] ^= 1 << below(8)
    else if (kind === 2)
      for (let i = below(4); i >= 0; i--) film[at + 8 + below(Math.min(24, size - 8))] ^= 1 << below(8)
    else if (kind === 3) film[at + 2 + below(2)] ^= 1 << below(8)
    else film[at + 8 + below(size - 8)] ^= 1 << below(8)
  }
  const at = below(film.length)
  const length = 1 + below(below(2) ? 40 : film.length / 5)
  const kind = below(8)
  if (kind === 0) film = film.subarray(0, Math.max(film.length >> 2, at))
  else if (kind === 1) film.fill(0, at, at + length)
  else if (kind === 2) film = film.copyWithin(at, at + length).subarray(0, Math.max(at, film.length - length))
  else if (kind === 3)
    film = Uint8Array.from([...film.subarray(0, at), ...film.subarray(0, length), ...film.subarray(at)])
  else if (kind === 4) for (let i = 0; i < 6; i++) film[below(film.length)] ^= 1 << below(8)
  return { name, film, beside, sample }
}
