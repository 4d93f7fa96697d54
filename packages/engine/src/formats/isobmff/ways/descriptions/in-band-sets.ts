import type { ByteReader } from '../../../../bytes/reader.ts'
import { isWholeAvcC } from '../../../../codecs/h264/avcc.ts'
import { configurationOf as h264Configuration, InBandH264 } from '../../../../codecs/h264/in-band.ts'
import { isWholeHvcC } from '../../../../codecs/hevc/hvcc.ts'
import { configurationOf as hevcConfiguration, InBandHevc } from '../../../../codecs/hevc/in-band.ts'
import { SAMPLE_KEY, type SampleTable } from '../../../../model/sample-table.ts'
import type { TrackDescription } from '../../../../model/track.ts'
import { nalLengthSize } from '../../../../recording/nal-chain.ts'
import type { MovieTrack } from '../../read/movie.ts'

/** Key pictures in whose beginning parameter sets are looked for, and bytes of each. */
const KEY_PICTURES = 8
const BEGINNING = 4096
/** Bytes of a record in front of its parameter sets: ISO/IEC 14496-15:2022 §5.3.3.1 and §8.3.2.1. */
const AVC_HEADER = 5
const HEVC_HEADER = 22

/** Whether a configuration record of parameter sets can be read to its end; true for tracks that have none. */
export function isWholeRecord({ codec, config, framing }: TrackDescription): boolean {
  if (framing !== 'length') return true
  if (codec === 'h264') return isWholeAvcC(config)
  return codec !== 'hevc' || isWholeHvcC(config)
}

/**
 * The track with the parameter sets of its own key pictures in a record that was hit, where they take the place of those that
 * stood there byte for byte; undefined where the record is whole or its pictures bring none.
 */
export function withOwnSets(reader: ByteReader, track: MovieTrack): MovieTrack | undefined {
  const { description } = track
  if (isWholeRecord(description)) return undefined
  const made = recordOf(reader, track.samples, description)
  const { config: old } = description
  if (!made || made.length !== old.length) return undefined
  const header = description.codec === 'h264' ? AVC_HEADER : HEVC_HEADER
  const config = Uint8Array.from([...old.subarray(0, header), ...made.subarray(header)])
  const mended = { ...description, config }
  if (!isWholeRecord(mended)) return undefined
  return {
    ...track,
    description: mended,
    sampleDescription: replaced(track.sampleDescription, old, config),
    entries: track.entries.map((entry) => ({ ...entry, bytes: replaced(entry.bytes, old, config) })),
  }
}

/** A configuration record of the parameter sets that key pictures bring. */
function recordOf(
  reader: ByteReader,
  samples: SampleTable,
  description: TrackDescription,
): Uint8Array | undefined {
  const h264 = new InBandH264()
  const hevc = new InBandHevc()
  const isH264 = description.codec === 'h264'
  for (let row = 0, seen = 0; row < samples.length && seen < KEY_PICTURES; row++) {
    if ((samples.flags[row] & SAMPLE_KEY) === 0) continue
    seen++
    const from = samples.offset[row]
    const sets = isH264 ? h264 : hevc
    sets.search(reader, from, from + Math.min(samples.size[row], BEGINNING))
  }
  const size = nalLengthSize(description)
  if (size !== 1 && size !== 2 && size !== 4) return undefined
  if (isH264) {
    const [sets] = h264.sets()
    return sets && h264Configuration(sets, size).config
  }
  const [sets] = hevc.sets()
  return sets && hevcConfiguration(sets, size).config
}

/** A copy of bytes with one stretch of them replaced by another of its length. */
export function replaced(bytes: Uint8Array, old: Uint8Array, put: Uint8Array): Uint8Array {
  const copy = bytes.slice()
  for (let at = 0; at + old.length <= bytes.length; at++) {
    if (!old.every((byte, i) => bytes[at + i] === byte)) continue
    copy.set(put, at)
    break
  }
  return copy
}
