import type { ByteReader } from '../../../../bytes/reader.ts'
import { AAC_LC, parseAudioSpecificConfig } from '../../../../codecs/aac/audio-specific-config.ts'
import { codecNamed } from '../../../../codecs/index.ts'
import { Unit } from '../../../../codecs/recogniser.ts'
import type { MovieTrack } from '../../read/movie.ts'
import { replaced } from './in-band-sets.ts'

/** Samples that are read with each configuration, and how many of them must read to their last byte. */
const LOOKED_AT = 24
const FEWEST = 4
/** Times as many as with the configuration as it is. */
const MORE = 4
/** Bytes of an AudioSpecificConfig() that is searched: with SBR and PS it has five. */
const MAX_CONFIG = 8

/**
 * The track of AAC with the one bit of its AudioSpecificConfig() (ISO/IEC 14496-3:2019 §1.6.2.1) flipped with which its samples
 * read to their last bytes, where they do not as it is. Undefined where they do, or no bit makes them; of several bits the one
 * that makes it LC, as which Main and LTP without prediction read as well, at the sampling rate of the sample entry.
 */
export function withProvenSound(reader: ByteReader, track: MovieTrack): MovieTrack | undefined {
  const { config, codec } = track.description
  if (codec !== 'aac' || config.length < 2 || config.length > MAX_CONFIG || track.protection) return undefined
  const own = wholeSamples(reader, track, config)
  let found: Uint8Array[] = []
  let most = Math.max(FEWEST, own * MORE)
  for (let bit = 0; bit < config.length * 8; bit++) {
    const other = config.slice()
    other[bit >> 3] ^= 0x80 >> (bit & 7)
    const whole = wholeSamples(reader, track, other)
    if (whole > most) found = []
    if (whole >= most) found.push(other)
    most = Math.max(most, whole)
  }
  const rate = track.description.sampleRate ?? track.description.timescale
  const usual = found.filter((other) => {
    const told = parseAudioSpecificConfig(other)
    return told?.objectType === AAC_LC && told.outputSampleRate === rate
  })
  const [mended, rival] = found.length > 1 ? usual : found
  if (!mended || rival) return undefined
  return {
    ...track,
    description: { ...track.description, config: mended },
    sampleDescription: withConfig(track.sampleDescription, config, mended),
    entries: track.entries.map((entry) => ({ ...entry, bytes: withConfig(entry.bytes, config, mended) })),
  }
}

/** How many of a track's first samples read to their last byte with a configuration. */
function wholeSamples(reader: ByteReader, { description, samples }: MovieTrack, config: Uint8Array): number {
  const recogniser = codecNamed('aac')?.recogniser({ ...description, config })
  const unit = new Unit()
  let whole = 0
  for (let row = 0; row < Math.min(samples.length, LOOKED_AT) && recogniser; row++) {
    const offset = samples.offset[row]
    const end = offset + samples.size[row]
    if (end > reader.size || !recogniser.recognise(reader, offset, end, unit)) continue
    if (unit.length === samples.size[row]) whole++
  }
  return whole
}

/** A sample entry with another configuration of the same length behind its length in the `esds` box. */
function withConfig(bytes: Uint8Array, config: Uint8Array, mended: Uint8Array): Uint8Array {
  const old = Uint8Array.from([config.length, ...config])
  return replaced(bytes, old, Uint8Array.from([config.length, ...mended]))
}
