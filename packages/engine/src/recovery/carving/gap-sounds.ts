import type { ByteReader } from '../../bytes/reader.ts'
import { type PcmLayout, pcmLayoutOf } from '../../codecs/pcm/layout.ts'
import type { GapPattern, Piece } from '../learning/learn.ts'
import { soundInGap } from './gap-sound.ts'
import type { Lane } from './lane.ts'
import type { PlacedPiece } from './placed-piece.ts'

/**
 * PCM at the start and at the end of a gap of several tracks that sound alike (the mono tracks of a camera): what is heard is
 * dealt out as the usual gap deals it, from the gap's start onwards and, unless it is `cut` there, from its end backwards.
 * Undefined when the tracks' samples are not laid out alike, or something else lies between them as a rule.
 */
export function soundsInGap(
  reader: ByteReader,
  lanes: readonly Lane[],
  patterns: readonly GapPattern[],
  at: number,
  until: number,
  cut: boolean,
): PlacedPiece[] | undefined {
  const layouts = patterns.flatMap(({ pieces }) =>
    pieces.map(({ lane }) => pcmLayoutOf(lanes[lane].description)),
  )
  const [first] = layouts
  if (!first || !layouts.every((layout) => layout && sameLayout(layout, first))) return undefined
  const { pieces } = patterns.reduce((most, pattern) => (pattern.count > most.count ? pattern : most))
  const heard = soundInGap(
    reader,
    lanes[pieces[0].lane],
    patterns.map(({ total }) => total),
    at,
    until,
    cut,
  )
  return heard?.flatMap(({ offset, length }) =>
    offset + length === until && !(cut && offset === at)
      ? dealBackwards(pieces, until, length)
      : deal(pieces, offset, length),
  )
}

function sameLayout(a: PcmLayout, b: PcmLayout): boolean {
  const keys = Object.keys(a) as (keyof PcmLayout)[]
  return keys.every((key) => a[key] === b[key])
}

/** Cuts `length` bytes from `at` on into the pieces of a usual gap; what it does not explain is left. */
function deal(pieces: readonly Piece[], at: number, length: number): PlacedPiece[] {
  const placed: PlacedPiece[] = []
  let done = 0
  for (const { lane, bytes } of pieces) {
    const part = Math.min(bytes, length - done)
    if (part > 0) placed.push({ lane, offset: at + done, length: part })
    done += part
  }
  return placed
}

/** Cuts the `length` bytes before `until` into the last pieces of a usual gap; what it does not explain is left. */
function dealBackwards(pieces: readonly Piece[], until: number, length: number): PlacedPiece[] {
  const placed: PlacedPiece[] = []
  let done = 0
  for (const { lane, bytes } of [...pieces].reverse()) {
    const part = Math.min(bytes, length - done)
    done += part
    if (part > 0) placed.unshift({ lane, offset: until - done, length: part })
  }
  return placed
}
