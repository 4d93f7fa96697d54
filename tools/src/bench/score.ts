import { readFile, rm } from 'node:fs/promises'
import { type ByteRange, RendererError, type StreamHashes } from '@mendframe/renderer'
import { isCover } from './covers.ts'
import { inFrames } from './frames.ts'
import { inChildren, type Media } from './media.ts'
import { placed, touched } from './packet-places.ts'
import { timedPairs } from './pairs.ts'
import { hitPackets } from './payload-map.ts'
import { findBlocks, isHit, PCM_BLOCK, wholeBlocks } from './pcm.ts'
import { commonSubsequence } from './sequence.ts'
import { structureOf } from './structure.ts'
import {
  AUDIO_TOLERANCE,
  clockOf,
  difference,
  halfInterval,
  latePictures,
  shownTimes,
  timely,
} from './times.ts'

/** What is known of a healthy recording. */
export interface Original {
  readonly path: string
  readonly streams: readonly StreamHashes[]
  /** Samples of each PCM stream end to end, by stream number. */
  readonly pcm: ReadonlyMap<number, Buffer>
  /** How well it tells its length and where to seek, which is all that is asked of a repair. */
  readonly structure: number
  /** What it was read by, and results are. */
  readonly media: Media
}

/** A file as it is, and its container as the library that writes it calls it. */
export interface OriginalFile {
  readonly container: string
  readonly bytes: Buffer
}

/** What of an original survived a damage: the yardstick. */
export interface Oracle {
  /**
   * For every video stream, which of the original's pictures still decode exactly when only the hit packets are dropped, each
   * with the seconds by which a player then shows it later (less than 0: earlier). Where packets carry no display times, as in
   * AVI, a picture is shown when the next one that it waits for comes, however whole the file is around what was hit.
   */
  readonly frames: ReadonlyMap<number, ReadonlyMap<number, number>>
  /** For every other stream, which packets (PCM: blocks of 256 bytes; speech and ADPCM: frames) were not hit. */
  readonly units: ReadonlyMap<number, ReadonlySet<number>>
  /** No key packet of the pictures is left that a seek could lead to. */
  readonly keyless: boolean
}

/** What a track is counted as: time codes, positions, text, covers and the like are all data. */
type Kind = 'video' | 'audio' | 'data'

export interface TrackScore {
  readonly kind: Kind
  readonly codec: string
  /**
   * Units (pictures, packets, PCM blocks, frames of speech and ADPCM) of the oracle, of them found exact and in order, of those
   * at the right time.
   */
  readonly oracle: number
  readonly exact: number
  readonly timely: number
  /** Seconds the track's exact units lie after their place in the original. */
  readonly offset: number
}

export interface Score {
  /** Shares of the oracle, 0 to 1; 1 where there is nothing to find. */
  readonly frames: number
  readonly times: number
  readonly audio: number
  readonly data: number
  /** How well the file tells its length and where to seek, beside the original: see `structureOf`. */
  readonly structure: number
  /** Seconds the sound is late against the pictures, compared with the original; undefined without both. */
  readonly sync: number | undefined
  readonly tracks: readonly TrackScore[]
}

const KINDS: readonly Kind[] = ['video', 'audio', 'data']

function kindOf(stream: StreamHashes): Kind {
  const { kind } = stream
  if (isCover(stream)) return 'data'
  return kind === 'video' || kind === 'audio' ? kind : 'data'
}

export async function readOriginal(path: string, media = inChildren): Promise<Original> {
  const streams = await inFrames(path, await media.hashes(path), media)
  return {
    path,
    streams,
    pcm: await readPcm(path, streams, media),
    structure: await structureOf(path, streams, { media }),
    media,
  }
}

/** Decodes the original without the packets that a damage touched; `file` tells of those that its container tears into pieces. */
export async function makeOracle(
  { path, streams, pcm, media }: Original,
  lost: readonly ByteRange[],
  file?: OriginalFile,
): Promise<Oracle> {
  const torn = file && hitPackets(file.container, file.bytes, streams, lost)
  const own = file && !torn ? placed(file.bytes, streams) : streams
  const hits = torn ?? (own === streams ? undefined : touched(streams, own, lost))
  const left = await media.hashes(path, hits ? { without: hits.map((hit) => [...hit]) } : { lost })
  const frames = new Map<number, ReadonlyMap<number, number>>()
  const units = new Map<number, Set<number>>()
  for (const [place, stream] of streams.entries()) {
    const survived = left[stream.index]
    if (kindOf(stream) === 'video') {
      const pairs = timedPairs(stream.frames, survived?.frames ?? [], placesWithPackets(stream, survived))
      frames.set(stream.index, latePictures(stream, survived, pairs))
    } else {
      units.set(
        stream.index,
        pcm.has(stream.index)
          ? wholeBlocks((own[place] ?? stream).packets, lost)
          : wholePackets(stream, lost, hits?.[place]),
      )
    }
  }
  const pictures = left.filter((stream) => kindOf(stream) === 'video')
  const keyless = pictures.length > 0 && !pictures.some(({ packets }) => packets.some(({ key }) => key))
  return { frames, units, keyless }
}

/** Scores a repaired file; undefined path or a file that does not open scores zero. */
export async function score(
  original: Original,
  oracle: Oracle,
  repaired: string | undefined,
): Promise<Score> {
  const { media } = original
  const streams = repaired ? await openedStreams(repaired, media) : []
  const pcm = repaired ? await readPcm(repaired, streams, media) : new Map<number, Buffer>()
  const tracks: TrackScore[] = []
  for (const kind of KINDS) {
    const mine = original.streams.filter((stream) => kindOf(stream) === kind)
    const theirs = streams.filter((stream) => kindOf(stream) === kind)
    const matching = counterparts(mine, theirs)
    for (const [index, stream] of mine.entries()) {
      const found = matching[index]
      if (kind === 'video') tracks.push(scoreFrames(stream, oracle.frames.get(stream.index), found))
      else {
        const units = oracle.units.get(stream.index) ?? new Set<number>()
        const before = original.pcm.get(stream.index)
        const after = found ? pcm.get(found.index) : undefined
        tracks.push(
          before ? scorePcm(stream, before, units, found, after) : scorePackets(kind, stream, units, found),
        )
      }
    }
  }
  const share = (kind: string, part: (track: TrackScore) => number): number => {
    const of = tracks.filter((track) => track.kind === kind && track.oracle > 0)
    return of.length === 0 ? 1 : of.reduce((sum, track) => sum + part(track) / track.oracle, 0) / of.length
  }
  const { keyless } = oracle
  const structure =
    repaired && streams.length > 0 ? await structureOf(repaired, streams, { keyless, media }) : 0
  const [video] = tracks.filter((track) => track.kind === 'video' && track.exact > 0)
  const [audio] = tracks.filter((track) => track.kind === 'audio' && track.exact > 0)
  return {
    frames: share('video', (track) => track.exact),
    times: share('video', (track) => track.timely),
    audio: share('audio', (track) => track.exact),
    data: share('data', (track) => track.exact),
    structure: original.structure > 0 ? Math.min(1, structure / original.structure) : 1,
    sync: video && audio ? audio.offset - video.offset : undefined,
    tracks,
  }
}

/**
 * The stream of a repaired file that stands for each of the original's: the next one of its codec, or, where streams of a codec
 * are missing, the one that shares most packets.
 */
function counterparts(
  mine: readonly StreamHashes[],
  theirs: readonly StreamHashes[],
): (StreamHashes | undefined)[] {
  const left = [...theirs]
  return mine.map((stream) => {
    const alike = left.filter(({ codec }) => codec === stream.codec)
    const wanted = mine.filter(({ codec }) => codec === stream.codec).length
    const given = theirs.filter(({ codec }) => codec === stream.codec).length
    const hashes = new Set(md5s(stream.packets))
    const shared = ({ packets }: StreamHashes): number => packets.filter(({ md5 }) => hashes.has(md5)).length
    const [found] = given >= wanted ? alike : alike.filter(shared).sort((a, b) => shared(b) - shared(a))
    if (found) left.splice(left.indexOf(found), 1)
    return found
  })
}

/**
 * Places of the pictures whose own packets are there: a decoder may show one whose packet is lost by another one, at that one's
 * time (as AV1 does where a packet only asks for a picture decoded before). Pictures in packets without time stamps are taken for
 * them.
 */
export function placesWithPackets(
  { frames, packets }: StreamHashes,
  survived: StreamHashes | undefined,
): Set<number> {
  const left = new Set(survived?.packets.map(({ pts }) => pts))
  const lost = new Set(packets.map(({ pts }) => pts).filter((pts) => pts !== undefined && !left.has(pts)))
  return new Set(frames.keys().filter((place) => !lost.has(frames[place]?.pts)))
}

function scoreFrames(
  original: StreamHashes,
  oracle: ReadonlyMap<number, number> = new Map(),
  repaired: StreamHashes | undefined,
): TrackScore {
  const wanted = new Set(oracle.keys())
  const pairs = timedPairs(original.frames, repaired?.frames ?? [], wanted)
  const shown = shownTimes(original)
  const shownNow = repaired ? shownTimes(repaired) : []
  const shifts = pairs.map(({ left, right }) => difference(shownNow[right], shown[left]))
  const excused = pairs.map(({ left }) => oracle.get(left) ?? 0)
  return {
    kind: 'video',
    codec: original.codec,
    oracle: wanted.size,
    exact: pairs.length,
    ...timely(shifts, halfInterval(shown.map((time) => time ?? 0)), excused),
  }
}

function scorePackets(
  kind: Kind,
  original: StreamHashes,
  oracle: ReadonlySet<number>,
  repaired: StreamHashes | undefined,
): TrackScore {
  const pairs = timedPairs(original.packets, repaired?.packets ?? [], oracle)
  const shifts = pairs.map(({ left, right }) =>
    difference(repaired?.packets[right]?.pts, original.packets[left]?.pts),
  )
  return {
    kind,
    codec: original.codec,
    oracle: oracle.size,
    exact: pairs.length,
    ...timely(shifts, AUDIO_TOLERANCE),
  }
}

function scorePcm(
  original: StreamHashes,
  before: Buffer,
  oracle: ReadonlySet<number>,
  repaired: StreamHashes | undefined,
  after: Buffer | undefined,
): TrackScore {
  const matches = after ? findBlocks(before, after) : []
  const inOrder = growing(matches.map(({ left }) => left / PCM_BLOCK)).filter(({ item }) => oracle.has(item))
  const clock = clockOf(original)
  const otherClock = repaired ? clockOf(repaired) : clock
  const shifts = inOrder.map(({ index }) => {
    const match = matches[index]
    return match ? difference(otherClock(match.right), clock(match.left)) : Number.NaN
  })
  return {
    kind: 'audio',
    codec: original.codec,
    oracle: oracle.size,
    exact: inOrder.length,
    ...timely(shifts, AUDIO_TOLERANCE),
  }
}

/** The longest growing run of a row of numbers, with their places. */
function growing(items: readonly number[]): { item: number; index: number }[] {
  const sorted = [...new Set(items)].sort((a, b) => a - b).map(String)
  return commonSubsequence(items.map(String), sorted).map(({ left, right }) => ({
    item: Number(sorted[right]),
    index: left,
  }))
}

function md5s(items: readonly { readonly md5: string }[]): string[] {
  return items.map(({ md5 }) => md5)
}

function wholePackets(
  { packets }: StreamHashes,
  lost: readonly ByteRange[],
  hits: ReadonlySet<number> | undefined,
): Set<number> {
  const whole = packets.map(({ position, size }, index) =>
    (hits?.has(index) ?? isHit(lost, position, position + size)) ? -1 : index,
  )
  return new Set(whole.filter((index) => index >= 0))
}

async function openedStreams(path: string, media: Media): Promise<readonly StreamHashes[]> {
  try {
    return await inFrames(path, await media.hashes(path, { timeoutSeconds: 120 }), media)
  } catch (error) {
    // What no decoder opens, or what takes it down, has nothing to score.
    if (error instanceof RendererError && error.kind !== 'environment') return []
    throw error
  }
}

async function readPcm(
  path: string,
  streams: readonly StreamHashes[],
  media: Media,
): Promise<Map<number, Buffer>> {
  const found = new Map<number, Buffer>()
  for (const { index, codec } of streams) {
    if (!codec.startsWith('pcm_')) continue
    const payload = `${path}.${index}.pcm`
    try {
      await media.payload(path, index, payload)
      found.set(index, await readFile(payload))
    } finally {
      await rm(payload, { force: true })
    }
  }
  return found
}
