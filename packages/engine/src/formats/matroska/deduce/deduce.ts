import { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { MemorySource } from '../../../bytes/source.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { showsConfiguration } from '../../../recording/shown-configuration.ts'
import { ElementHeader } from '../../../syntax/ebml/element.ts'
import type { Assessment } from '../assess.ts'
import { FrameChecker } from '../read/frame-checker.ts'
import { type MatroskaTrack, readTrack } from '../read/track.ts'
import { trackEntry } from '../write/track-entry.ts'
import { deducePictures, deduceText } from './pictures.ts'
import { deduceSound } from './sounds.ts'
import { type Stream, streamsOf } from './stream.ts'

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
    const like = sample.find((track) => track.number === stream.number && fits(reader, track, stream))
    // pictures behind start codes bring their parameter sets with them
    const bringsSets = like?.description.framing === 'startcode' && like.description.config.length === 0
    const isShown =
      like && (bringsSets || showsConfiguration(reader, like.description, placesOf(stream)) !== false)
    if (isShown) {
      sampled.push(like)
      continue
    }
    const found =
      deduceText(reader, stream) ??
      deduceSoundFirst(reader, stream) ??
      (await deducePictures(reader, stream, () => monitor.pause())) ??
      deduceSound(reader, stream)
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

function fits(reader: ByteReader, track: MatroskaTrack, { frames }: Stream): boolean {
  const checker = new FrameChecker(reader, track)
  const looked = frames.slice(0, LOOKED)
  return looked.filter(({ offset, size }) => checker.bits(offset, size) > 0).length >= looked.length * MOST
}

/** The track as a reader of the new entry understands it. */
function asRead(entry: Uint8Array): MatroskaTrack | undefined {
  const reader = new ByteReader(new MemorySource(entry))
  const header = new ElementHeader()
  if (!header.read(reader, 0, entry.length)) return undefined
  const { id, offset, body, end } = header
  return readTrack(reader, { id, offset, body, end })
}
