import { joined } from '../../../bytes/joined.ts'
import { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { MemorySource } from '../../../bytes/source.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { showsConfiguration } from '../../../recording/shown-configuration.ts'
import { ElementHeader } from '../../../syntax/ebml/element.ts'
import type { Assessment } from '../assess.ts'
import { codecName } from '../read/codec-names.ts'
import { FrameChecker, UNKNOWN_BITS } from '../read/frame-checker.ts'
import { type MatroskaTrack, readTrack } from '../read/track.ts'
import { trackEntry } from '../write/track-entry.ts'
import type { Deduced } from './finding.ts'
import { deducePictures } from './pictures.ts'
import { deduceSound } from './sounds.ts'
import { type Stream, streamsOf } from './stream.ts'
import { deduceSubtitles } from './subtitles.ts'

/** Tracks for the numbers that blocks name and the file does not describe. */
export interface Described {
  /** Of the sample, where their codec fits the frames. */
  readonly sampled: readonly MatroskaTrack[]
  /** Nothing in the file shows that what is taken of the sample, or made of the frames, is right. */
  readonly assumed: boolean
  /** By the frames themselves. */
  readonly deduced: readonly MatroskaTrack[]
  /** Numbers of tracks whose frames tell nothing. */
  readonly untold: readonly number[]
}

const LOOKED = 64
/** Share of the frames that must fit a sample's track. */
const MOST = 0.8

/**
 * Finds out what the tracks are that nothing in the file describes: a sample's where the frames show that they are theirs, else
 * what the frames tell of themselves, else a sample's that nothing speaks against.
 */
export async function describeTracks(
  reader: ByteReader,
  { survey, paces, scale }: Assessment,
  sample: readonly MatroskaTrack[],
  monitor: Monitor,
): Promise<Described> {
  const known = new Set(survey.tracks.map(({ number }) => number))
  const sampled: MatroskaTrack[] = []
  const deduced: MatroskaTrack[] = []
  const untold: number[] = []
  let assumed = false
  let paced = survey.info !== undefined || sample.length > 0
  for (const stream of streamsOf(reader, survey, known, paces, scale)) {
    await monitor.pause()
    const fit = fitOf(reader, sample, stream)
    const like = fit?.track
    // pictures behind start codes bring their parameter sets with them
    const bringsSets = like?.description.framing === 'startcode' && like.description.config.length === 0
    const isShown = like && (bringsSets || showsIts(reader, like, placesOf(stream)) !== false)
    if (isShown && fit?.isJudged) {
      sampled.push(like)
      continue
    }
    const found =
      deduceSubtitles(reader, stream) ??
      deduceSoundFirst(reader, stream) ??
      (await deducePictures(reader, stream, () => monitor.pause())) ??
      deduceSound(reader, stream)
    // of a codec whose frames nothing tells from others the sample is believed, unless they are another's
    if (isShown && !(found && isAnother(found, like))) {
      sampled.push(like)
      continue
    }
    const track = found && asRead(trackEntry(stream.number, found))
    if (track) deduced.push(track)
    else if (like) sampled.push(like)
    else untold.push(stream.number)
    assumed ||= found ? found.assumed : like !== undefined
    paced ||= found?.paced === true
  }
  // without any clock, ticks are taken for milliseconds
  return { sampled, deduced, untold, assumed: assumed || !paced }
}

/** Bytes of pictures that are put together so. */
const MOST_RESTORED = 16 * 1024 * 1024

/** Whether pictures show that a track's configuration is theirs; those of which bytes are left out are put together with them. */
function showsIts(
  reader: ByteReader,
  { description, stripped }: MatroskaTrack,
  places: readonly Region[],
): boolean | undefined {
  if (stripped.length === 0) return showsConfiguration(reader, description, places)
  const regions: Region[] = []
  const bytes: Uint8Array[] = []
  let at = 0
  for (const { offset, length } of places) {
    if (at + length > MOST_RESTORED) break
    regions.push({ offset: at, length: stripped.length + length })
    bytes.push(stripped, reader.bytes(offset, length).slice())
    at += stripped.length + length
  }
  const whole = new ByteReader(new MemorySource(joined(bytes)), reader.work)
  return showsConfiguration(whole, description, regions)
}

/** The first frames and the key ones, each once, in file order. */
function placesOf({ frames, keys }: Stream): Region[] {
  const places = new Map([...frames, ...keys].map(({ offset, size }) => [offset, size]))
  return [...places].map(([offset, length]) => ({ offset, length })).sort((a, b) => a.offset - b.offset)
}

/** Tracks of which every block is a key frame are sound, or pictures that stand alone. */
function deduceSoundFirst(reader: ByteReader, stream: Stream): ReturnType<typeof deduceSound> {
  const alone = stream.frames.every(({ key }) => key)
  return alone && reader.u16(stream.frames[0]?.offset ?? 0) !== JPEG ? deduceSound(reader, stream) : undefined
}

const JPEG = 0xffd8

/** The sample's track of a number, where its codec lets the frames be its own, and whether it can say so at all. */
function fitOf(
  reader: ByteReader,
  sample: readonly MatroskaTrack[],
  { number, frames }: Stream,
): { readonly track: MatroskaTrack; readonly isJudged: boolean } | undefined {
  const track = sample.find((candidate) => candidate.number === number)
  if (!track) return undefined
  const checker = new FrameChecker(reader, track)
  const bits = frames.slice(0, LOOKED).map(({ offset, size }) => checker.bits(offset, size))
  const least = bits.length * MOST
  if (bits.filter((one) => one > 0).length < least) return undefined
  return { track, isJudged: bits.filter((one) => one > UNKNOWN_BITS).length >= least }
}

/**
 * Whether frames turned out to be of another codec than a track's: plain samples are no evidence, and text is written in many
 * ways.
 */
function isAnother(found: Deduced, { codecId, description }: MatroskaTrack): boolean {
  const codec = codecName(found.codecId, found.codecPrivate ?? new Uint8Array(0))
  if (codec === description.codec || codec === 'pcm') return false
  return !(found.codecId.startsWith(TEXT) && codecId.startsWith(TEXT))
}

const TEXT = 'S_TEXT/'

/** The track as a reader of the new entry understands it. */
function asRead(entry: Uint8Array): MatroskaTrack | undefined {
  const reader = new ByteReader(new MemorySource(entry))
  const header = new ElementHeader()
  if (!header.read(reader, 0, entry.length)) return undefined
  const { id, offset, body, end } = header
  return readTrack(reader, { id, offset, body, end })
}
