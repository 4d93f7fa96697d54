import type { ByteReader } from '../../../../bytes/reader.ts'
import type { Region } from '../../../../bytes/regions.ts'
import type { Allowance } from '../../../../model/allowance.ts'
import { SAMPLE_KEY } from '../../../../model/sample-table.ts'
import { readRecord } from '../../../../recording/flipped-set-bit.ts'
import type { MovieTrack } from '../../read/movie.ts'
import { replaced } from './in-band-sets.ts'

/** Rows among which key pictures are looked for. */
const MOST_ROWS = 1 << 16

/**
 * The track with the one bit of its parameter sets flipped with which its key pictures read to their very ends, where they do not
 * as the sets are. Undefined where they do, where no bit makes them, or where several would.
 * @param work see `readRecord`
 */
export function withProvenBit(
  reader: ByteReader,
  track: MovieTrack,
  work?: Allowance,
): MovieTrack | undefined {
  const { config } = track.description
  const mended = readRecord(reader, track.description, keysOf(track), work)?.mended
  if (!mended) return undefined
  return {
    ...track,
    description: { ...track.description, config: mended },
    sampleDescription: replaced(track.sampleDescription, config, mended),
    entries: track.entries.map((entry) => ({ ...entry, bytes: replaced(entry.bytes, config, mended) })),
  }
}

/** Places of a track's key pictures, among its first samples. */
export function* keysOf({ samples }: MovieTrack): Generator<Region> {
  for (let row = 0; row < Math.min(samples.length, MOST_ROWS); row++)
    if (samples.flags[row] & SAMPLE_KEY) yield { offset: samples.offset[row], length: samples.size[row] }
}
