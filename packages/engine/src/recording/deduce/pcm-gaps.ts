import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { pcmLayoutOf } from '../../codecs/pcm/layout.ts'
import { PcmLikeness } from '../../codecs/pcm/likeness.ts'
import { countBelow } from '../../model/bisect.ts'
import { SAMPLE_KEY, SampleTable } from '../../model/sample-table.ts'
import type { Candidate, Rate } from './candidates.ts'
import { USUAL_RATES } from './clock.ts'
import { joinedTracks } from './joined-tracks.ts'
import { type Beside, besidePicture, median, PICTURES_OFF, UNLIKE } from './pcm-rounds.ts'
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
  /** Other rates of pictures fit the sound, too, by which they would come at other times. */
  readonly pictureUnsure: boolean
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
/** A later combination must fit this much better than an earlier, likelier one. */
const BETTER = 0.004
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
 * The gaps between pictures as PCM sound, when they sound like it: layout by ear, rate and channels by the pictures' clock, or
 * both clocks by each other where the pictures' is unknown. Gaps that also hold other bytes (telemetry beside the sound) are
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
  const beside = pictures && besidePicture(pictures, gaps, lengths)
  const shown = pictures?.length ?? 0
  const solved = beside && solve(beside.each / tracks, kind.bits / 8, heard.channels, rate, shown)
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
  const bytesASecond = frame * clock.rate * tracks
  const pictureUnsure =
    rate === undefined && beside !== undefined && hasRivals(clock.picture, beside, bytesASecond, shown)
  return { candidate, tables, unsure, unclocked: solved === undefined, picture: clock.picture, pictureUnsure }
}

/** Pictures by which the last one may be early or late and still count as at its time. */
const TIMELY = 0.5

/** Whether rates of pictures fit that would put the last of `shown` pictures at another time than `found` does. */
function hasRivals(found: Rate | undefined, beside: Beside, bytesASecond: number, shown: number): boolean {
  if (!found) return false
  return USUAL_RATES.some(({ num, den }) => {
    const asked = (bytesASecond * den) / num
    const apart = Math.abs((num * found.den) / (den * found.num) - 1)
    return asked >= beside.least && asked <= beside.most && apart * shown > TIMELY
  })
}

interface PcmClock {
  readonly channels: number
  readonly rate: number
  readonly picture: Rate | undefined
}

/**
 * Rate and channels that put `each` bytes of sound beside a picture; both clocks at once where the pictures' is unknown.
 * Undefined where none do.
 */
function solve(
  each: number,
  width: number,
  heard: number,
  picture: Rate | undefined,
  count: number,
): PcmClock | undefined {
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
