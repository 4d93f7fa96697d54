import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { pcmLayoutOf } from '../../codecs/pcm/layout.ts'
import { PcmLikeness } from '../../codecs/pcm/likeness.ts'
import { countBelow } from '../../model/bisect.ts'
import { SAMPLE_KEY, SampleTable } from '../../model/sample-table.ts'
import type { Candidate, Rate } from './candidates.ts'
import { USUAL_RATES } from './clock.ts'
import { joinedTracks } from './joined-tracks.ts'
import { hearPcm, type PcmKind, pcmTrack } from './sounds.ts'

/** Sound without syntax between pictures. */
export interface PcmSound {
  /** What each of its tracks is. */
  readonly candidate: Candidate
  /** For each track one row for each gap that holds sound of it; times run on. */
  readonly tables: readonly SampleTable[]
  /** How many tracks there are, and with it the clocks, could not be told by ear. */
  readonly unsure: boolean
  /** No clock agrees with the pictures': the one given is no more than usual. */
  readonly unclocked: boolean
  /** Pictures a second, where the sound's clock tells it. */
  readonly picture: Rate | undefined
}

const RATES = [48_000, 44_100, 32_000, 96_000, 16_000, 24_000, 22_050, 11_025, 8_000]
/** Rates that are looked for beside pictures of an unknown rate: with more, any ratio fits some pair. */
const COMMON_RATES = RATES.slice(0, 2)
const CHANNELS = [2, 1, 4, 6, 8]
/** How far bytes between pictures may be from what a rate asks for. */
const DRIFT = 0.03
/** The same where the pictures' clock is unknown, at least and at most: the count of pictures may be one and a half off. */
const UNCLOCKED_DRIFT = 0.004
const MOST_UNCLOCKED_DRIFT = 0.018
const PICTURES_OFF = 1.5
/** A later combination must fit this much better than an earlier, likelier one. */
const BETTER = 0.004
/** Gaps from which the bytes beside a picture are known well enough to solve both clocks. */
const FEWEST_GAPS = 4
/** Gaps are unlike when their bytes, or the pictures behind them, differ by more than this share. */
const UNLIKE = 0.2
/** Gaps of one length that are as the recording has them, and their share of all. */
const RECURRING = 3
const RECURRING_SHARE = 0.05
/** Bytes listened to from each end of a gap. */
const LISTEN = 1 << 18
/** Gaps listened to in order to know how they are made up. */
const MOST_GAPS = 24
/** Where sound ends by ear is this many sample frames off at most. */
const BY_EAR = 512
/** Share of the gaps that are made up alike. */
const ALIKE = 0.7

/** How the gaps between pictures are made up. */
type Makeup = 'whole' | 'sound first' | 'sound last'

/**
 * The gaps between pictures as PCM sound, when they sound like it: layout by ear, rate and channels by the pictures' clock, or both
 * clocks by each other where the pictures' is unknown. Gaps that also hold other bytes (telemetry beside the sound) are
 * split where the sound ends. `pictures` are the rows of the picture track.
 */
export function pcmInGaps(
  reader: ByteReader,
  gaps: readonly Region[],
  pictures: SampleTable | undefined,
  rate: Rate | undefined,
  samplesPerTrack: number,
): PcmSound | undefined {
  const heard = hearPcm(reader, gaps)
  if (!heard) return undefined
  const { kind } = heard
  const makeup = makeupOf(reader, gaps, kind, heard.channels)
  const likeness = makeup === 'whole' ? likenessOf(kind, heard.channels) : undefined
  const joined = likeness && joinedTracks(reader, gaps, likeness)
  const tracks = joined?.count ?? 1
  const lengths = gaps.map((gap) => soundBytes(reader, gap, kind, heard.channels, makeup))
  const each = pictures ? bytesBesidePicture(pictures, gaps, lengths) : 0
  const solved = solve(each / tracks, kind.bits / 8, heard.channels, rate, pictures?.length ?? 0)
  const clock = solved ?? { channels: heard.channels, rate: RATES[0], picture: rate }
  const candidate = pcmTrack(kind, clock.channels, clock.rate)
  const frame = (kind.bits / 8) * clock.channels
  const tables = Array.from({ length: tracks }, () => new SampleTable(samplesPerTrack))
  const time = tables.map(() => 0)
  const usual = median(lengths) / tracks
  for (const [i, gap] of gaps.entries()) {
    const wanted = makeup === 'whole' || !pictures ? 0 : framesDue(pictures, gaps, i, clock)
    const length = snap(lengths[i], wanted * frame, gap.length, frame)
    // of chunks that are cut short the first ones are whole
    const even = length % (tracks * frame) === 0 && Math.abs(length / tracks - usual) <= usual * UNLIKE
    let at =
      makeup === 'sound last' ? gap.offset + gap.length - Math.floor(length / frame) * frame : gap.offset
    const end = at + length
    for (const [track, table] of tables.entries()) {
      const share = tracks === 1 ? length : Math.min(even ? length / tracks : usual, end - at)
      const count = Math.floor(share / frame)
      if (count === 0) continue
      const row = table.push(at, count * frame, count, count, table.length, SAMPLE_KEY)
      table.dts[row] = time[track]
      time[track] += count
      at += count * frame
    }
  }
  const unsure = joined !== undefined && !joined.sure
  if (tables[0].length === 0) return undefined
  return { candidate, tables, unsure, unclocked: solved === undefined, picture: clock.picture }
}

interface PcmClock {
  readonly channels: number
  readonly rate: number
  readonly picture: Rate | undefined
}

/**
 * Bytes of sound to a picture, over the gaps that are like most, or of a length that recurs: a cut or foreign bytes make one unlike. Over all
 * of them when they are few.
 */
function bytesBesidePicture(
  pictures: SampleTable,
  gaps: readonly Region[],
  lengths: readonly number[],
): number {
  const all = lengths.reduce((sum, length) => sum + length, 0)
  if (gaps.length < FEWEST_GAPS) return pictures.length > 0 ? all / pictures.length : 0
  const before = gaps.map((gap) => countBelow(pictures.offset, gap.offset, pictures.length))
  const counts = before.slice(1).map((rows, i) => rows - before[i])
  const usualLength = median(lengths)
  const usualCount = median(counts)
  const often = new Map<number, number>()
  for (const length of lengths) often.set(length, (often.get(length) ?? 0) + 1)
  const recurring = Math.max(RECURRING, lengths.length * RECURRING_SHARE)
  const isLikeMost = (length: number): boolean =>
    Math.abs(length - usualLength) <= usualLength * UNLIKE || (often.get(length) ?? 0) >= recurring
  let bytes = 0
  let between = 0
  for (const [i, count] of counts.entries()) {
    if (!isLikeMost(lengths[i])) continue
    if (Math.abs(count - usualCount) > Math.max(1, usualCount * UNLIKE)) continue
    bytes += lengths[i]
    between += count
  }
  return between > 0 ? bytes / between : 0
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

/**
 * Rate and channels that put `each` bytes of sound beside a picture; both clocks at once where the pictures' is unknown. Undefined where none
 * do.
 */
function solve(
  each: number,
  width: number,
  heard: number,
  picture: Rate | undefined,
  count: number,
): PcmClock | undefined {
  if (each === 0) return undefined
  let best: PcmClock | undefined
  const unclocked = Math.min(MOST_UNCLOCKED_DRIFT, Math.max(UNCLOCKED_DRIFT, PICTURES_OFF / count))
  let least = (picture ? DRIFT : unclocked) + BETTER
  const pictures = picture ? [picture] : USUAL_RATES
  for (const channels of [heard, ...CHANNELS.filter((count) => count !== heard)]) {
    for (const rate of picture ? RATES : COMMON_RATES) {
      for (const candidate of pictures) {
        const asked = (channels * rate * width * candidate.den) / candidate.num
        const miss = Math.abs(each / asked - 1)
        if (miss >= least - BETTER) continue
        least = miss
        best = { channels, rate, picture: candidate }
      }
    }
  }
  return best
}

function likenessOf(kind: PcmKind, channels: number): PcmLikeness | undefined {
  const layout = pcmLayoutOf({
    ...{ id: 1, kind: 'audio', codec: 'pcm', timescale: 48_000, config: new Uint8Array(0), framing: 'raw' },
    channels,
    facts: kind.facts,
  })
  return layout && new PcmLikeness(layout)
}

/** Seen from its far end sound drowns what lies before it: only the reading that stops short tells where it ends. */
function makeupOf(reader: ByteReader, gaps: readonly Region[], kind: PcmKind, channels: number): Makeup {
  let first = 0
  let last = 0
  const tried = gaps.slice(0, MOST_GAPS)
  const frame = (kind.bits / 8) * channels
  for (const gap of tried) {
    const whole = Math.min(gap.length, LISTEN) - BY_EAR * frame
    const head = soundBytes(reader, gap, kind, channels, 'sound first')
    const tail = soundBytes(reader, gap, kind, channels, 'sound last')
    if (head < whole && tail > head) first++
    else if (tail < whole) last++
  }
  if (first >= tried.length * ALIKE) return 'sound first'
  return last >= tried.length * ALIKE ? 'sound last' : 'whole'
}

/** Bytes of a gap that sound, from its beginning or to its end. */
function soundBytes(
  reader: ByteReader,
  gap: Region,
  kind: PcmKind,
  channels: number,
  makeup: Makeup,
): number {
  if (makeup === 'whole') return gap.length
  const likeness = likenessOf(kind, channels)
  if (!likeness) return 0
  if (makeup === 'sound first') return likeness.extent(reader.bytes(gap.offset, Math.min(gap.length, LISTEN)))
  const window = Math.min(gap.length, LISTEN)
  const whole = window - (window % ((kind.bits / 8) * channels))
  return whole - likeness.onset(reader.bytes(gap.offset + gap.length - whole, whole).slice())
}

/** Sample frames that last as long as the pictures between a gap and the one before it. */
function framesDue(pictures: SampleTable, gaps: readonly Region[], index: number, clock: PcmClock): number {
  if (!clock.picture) return 0
  const from = index > 0 ? gaps[index - 1].offset : Number.NEGATIVE_INFINITY
  const count =
    countBelow(pictures.offset, gaps[index].offset, pictures.length) -
    countBelow(pictures.offset, from, pictures.length)
  return Math.round((count * clock.picture.den * clock.rate) / clock.picture.num)
}

/** What the clock asks for where the ear is that near to it. */
function snap(heard: number, due: number, room: number, frame: number): number {
  return due > 0 && due <= room && Math.abs(heard - due) <= BY_EAR * frame ? due : Math.min(heard, room)
}
