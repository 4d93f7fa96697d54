import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import type { PcmLikeness } from '../../codecs/pcm/likeness.ts'

/** Tracks of one kind whose chunks join between pictures, at the most. */
const MOST_TRACKS = 8
/** Sample frames heard before a seam, and behind it. */
const BEFORE = 64
const BEHIND = 2
/** Gaps listened to, at least and at most. */
const FEWEST_GAPS = 3
const MOST_GAPS = 32
/** Bits over all gaps by which one count of tracks must sound better than the others. */
const CLEARLY = 4

/** How many tracks of sound share the gaps between pictures. */
export interface JoinedTracks {
  readonly count: number
  /** False where all counts sound alike, as in silence. */
  readonly sure: boolean
}

/**
 * Tells how many tracks of PCM, whose chunks are equally long and join, make up each gap: sound goes on from the end of a track's
 * chunk to the start of its next one, one gap later, and nowhere else.
 */
export function joinedTracks(
  reader: ByteReader,
  gaps: readonly Region[],
  likeness: PcmLikeness,
): JoinedTracks {
  const { blockAlign } = likeness.layout
  const lengths = gaps.map(({ length }) => length).sort((a, b) => a - b)
  const usual = lengths[lengths.length >> 1] ?? 0
  const pairs: (readonly [Region, Region])[] = []
  for (let i = 1; i < gaps.length && pairs.length < MOST_GAPS; i++)
    if (isNear(gaps[i - 1].length, usual) && isNear(gaps[i].length, usual)) pairs.push([gaps[i - 1], gaps[i]])
  if (pairs.length < FEWEST_GAPS) return { count: 1, sure: false }
  let best = 1
  let most = Number.NEGATIVE_INFINITY
  let second = Number.NEGATIVE_INFINITY
  for (let count = 1; count <= MOST_TRACKS; count++) {
    const parts = pairs.filter(([a, b]) => isDivided(a, count, blockAlign) && isDivided(b, count, blockAlign))
    if (parts.length < FEWEST_GAPS || usual / count < BEFORE * blockAlign) continue
    let score = 0
    for (const [a, b] of parts) {
      for (let track = 0; track < count; track++) {
        const end = a.offset + (a.length / count) * (track + 1)
        score += seam(reader, likeness, end, b.offset + (b.length / count) * track)
      }
    }
    const each = score / parts.length / count
    if (each > most) {
      second = most
      most = each
      best = count
    } else second = Math.max(second, each)
  }
  const sure = (most - second) * pairs.length > CLEARLY
  return { count: sure ? best : 1, sure }
}

/** Bits by which the sound that ends at `end` goes on at `start`. */
function seam(reader: ByteReader, likeness: PcmLikeness, end: number, start: number): number {
  const { blockAlign } = likeness.layout
  const before = reader.bytes(end - BEFORE * blockAlign, BEFORE * blockAlign).slice()
  const behind = reader.bytes(start, BEHIND * blockAlign)
  likeness.reset()
  for (let at = 0; at < before.length; at += blockAlign) likeness.frame(before, at)
  let score = 0
  for (let at = 0; at + blockAlign <= behind.length; at += blockAlign) score += likeness.frame(behind, at)
  return score / BEHIND
}

/** Chunks differ by a sample frame or few where a picture lasts no whole number of them. */
function isNear(length: number, usual: number): boolean {
  return Math.abs(length - usual) <= usual * 0.02
}

function isDivided({ length }: Region, count: number, blockAlign: number): boolean {
  return length % (count * blockAlign) === 0
}
