import type { ByteReader } from '../../../../bytes/reader.ts'
import { AAC_LC, parseAudioSpecificConfig } from '../../../../codecs/aac/audio-specific-config.ts'
import type { SampleTable } from '../../../../model/sample-table.ts'
import { aacTrack } from '../../../../recording/deduce/sounds.ts'
import type { MovieTrack } from '../../read/movie.ts'
import { draftMovie } from '../../write/draft-movie.ts'
import type { Teacher } from '../carve-file.ts'

/** id_syn_ele, ISO/IEC 14496-3:2019 Table 4.85: what most frames begin with. */
const SINGLE = 0
const PAIR = 1
/** Frames looked at, and those that tell. */
const MOST_FRAMES = 256
const FEWEST_FRAMES = 8

/**
 * The sample with the damaged file's AAC as it is coded, where that of the sample has one channel and the file's two, or the
 * other way round: both read with either configuration. `found` are frames at `reader`.
 */
export function withOwnChannels(
  reader: ByteReader,
  found: SampleTable,
  sample: Teacher,
  sound: MovieTrack,
): Teacher {
  const ours = usualElement(reader, found)
  const theirs = usualElement(sample.reader, sound.samples)
  if (ours === undefined || theirs === undefined || ours === theirs) return sample
  const { channels } = sound.description
  if (channels !== 1 && channels !== 2) return sample
  return withPlainAac(sample, sound, { channels: ours === PAIR ? 2 : 1 }) ?? sample
}

/**
 * The sample with the damaged file's AAC, in tracks of one rate, at another sampling rate, in Hz, whose syntax is the same;
 * undefined where the sample's is not plain AAC.
 */
export function withOwnSoundRates(
  sample: Teacher,
  sounds: readonly MovieTrack[],
  rate: number,
): Teacher | undefined {
  let own: Teacher | undefined = sample
  for (const sound of sounds) {
    const { config, channels, timescale } = sound.description
    const coding = parseAudioSpecificConfig(config)
    const isPlain = coding?.objectType === AAC_LC && !coding.sbr && coding.coreSampleRate === timescale
    own = own && isPlain && channels ? withPlainAac(own, sound, { channels, rate }) : undefined
  }
  return own
}

/**
 * The sample with plain AAC of so many channels, at its own rate or another, for its sound; undefined where no such configuration
 * is.
 */
function withPlainAac(
  sample: Teacher,
  sound: MovieTrack,
  plain: { readonly channels: number; readonly rate?: number },
): Teacher | undefined {
  const own = plainAacLike(sound, plain)
  if (!own) return undefined
  const swap = (track: MovieTrack): MovieTrack => (track === sound ? own : track)
  const movie = { ...sample.movie, tracks: sample.movie.tracks.map(swap) }
  return { ...sample, movie, tracks: sample.tracks.map(swap), used: ['track layout', 'timing'] }
}

/** A track as plain AAC of so many channels, at its own rate or another, in Hz; undefined where no such configuration is. */
export function plainAacLike(
  sound: MovieTrack,
  { channels, rate }: { readonly channels: number; readonly rate?: number },
): MovieTrack | undefined {
  const { id, timescale, sampleRate = timescale } = sound.description
  const candidate = aacTrack(rate ?? sampleRate, channels)
  const drawn = candidate && draftMovie({ tracks: [candidate.track] })?.movie.tracks[0]
  if (!drawn) return undefined
  return {
    ...sound,
    description: { ...drawn.description, id, timescale: rate ?? timescale },
    mediaHeader: { ...sound.mediaHeader, timescale: rate ?? timescale },
    sampleDescription: drawn.sampleDescription,
    entries: drawn.entries,
  }
}

/** What most frames of a table begin with, if that is one channel or a pair; undefined where few do. */
function usualElement(reader: ByteReader, { offset, length }: SampleTable): number | undefined {
  const counts = [0, 0]
  for (let row = 0; row < Math.min(length, MOST_FRAMES); row++) counts[reader.u8(offset[row]) >> 5]++
  const usual = counts[PAIR] > counts[SINGLE] ? PAIR : SINGLE
  return counts[usual] >= FEWEST_FRAMES ? usual : undefined
}
