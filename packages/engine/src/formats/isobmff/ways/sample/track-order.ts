import type { Region } from '../../../../bytes/regions.ts'
import type { Strategies } from '../../../../recording/ways.ts'
import type { Carved } from '../../../../recovery/carve.ts'
import { inFileOrder } from '../../../../recovery/learning/rows-by-place.ts'
import {
  type AlikeUnits,
  dealByClocks,
  likelier,
  purity,
  unitsOf,
} from '../../../../recovery/telling-apart/clock-deals.ts'
import { Likeness } from '../../../../recovery/telling-apart/likeness.ts'
import { dealtTable } from '../../../../recovery/telling-apart/sound-runs.ts'
import { learnTurns } from '../../../../recovery/telling-apart/turn-clocks.ts'
import type { RepairJob } from '../../../format.ts'
import type { Assessment } from '../../assess.ts'
import { deduced, otherSettings } from '../../findings.ts'
import type { MovieTrack } from '../../read/movie.ts'
import type { Lessons, Teacher } from '../carve-file.ts'
import { unitOf } from './picture-rate.ts'
import { plainAacLike } from './sound-coding.ts'

/** Sampling rates, in Hz, that recordings mix. */
const USUAL_RATES = [48_000, 44_100]
/** Most tracks that are looked at in all their orders. */
export const MOST_MIXED = 3
/** Share by which as much sound as some tracks make may be more or less: sets of tracks differ by 2.7 % and more. */
const AS_MUCH = 0.012
/** Units that tell how tracks take turns. */
const MOST_UNITS = 4096
/** Bits between one deal and any other that make it certain. */
const CERTAIN = 12
/** Bits, in the mean, by which units are rather like their own track's where they are dealt rightly. */
const PURE = 1

/** Whether tracks are not all of one rate. */
export function isMixed(kin: readonly MovieTrack[]): boolean {
  return ratesOf(kin).some((rate, _, [first]) => rate !== first)
}

/**
 * The sampling rates of the tracks of sound that so many units a second are, each unit as long as the sample's; those of the
 * sample where these make as many. Undefined where none do.
 */
export function ratesHeard(kin: readonly MovieTrack[], unitsASecond: number): readonly number[] | undefined {
  const own = ratesOf(kin)
  const unit = unitOf(kin[0])
  const off = (rates: readonly number[]): number =>
    Math.abs(unitsASecond / rates.reduce((sum, rate) => sum + rate / unit, 0) - 1)
  if (off(own) < AS_MUCH) return own
  const known = [...new Set([...own, ...USUAL_RATES])]
  let sets: number[][] = [[]]
  let best: number[] = []
  for (let count = 1; count <= MOST_MIXED; count++) {
    sets = sets.flatMap((set) =>
      known.slice(known.indexOf(set.at(-1) ?? known[0])).map((rate) => [...set, rate]),
    )
    for (const set of sets) if (best.length === 0 || off(set) < off(best)) best = set
  }
  return off(best) < AS_MUCH ? best : undefined
}

/**
 * The sample with tracks of sound at the rates given, in Hz, in the order in which the damaged file has them: its packets come in
 * turn by their clocks, and of packets that start at once that of the first track comes first. What its packets are like shows
 * which deal is right. Where nothing shows it they are as the sample has them, which is an assumption.
 */
export function withRates(
  { damaged }: RepairJob,
  { findings }: Assessment,
  sample: Teacher,
  carved: Carved,
  kin: readonly MovieTrack[],
  rates: readonly number[],
  strategies: Strategies,
): Teacher {
  const own = ratesOf(kin)
  const assumed = { ...sample, assumed: true }
  const units = firstUnits(carved, sample, kin)
  const isSame = sameRates(rates, own)
  const models = isSame ? kin : rates.map((rate) => modelOf(kin, rate))
  if (!models.every((model) => model !== undefined)) return assumed
  const alike: AlikeUnits = {
    reader: damaged.reader,
    units,
    descriptions: models.map(({ description }) => description),
  }
  const deal =
    bestDeal(alike, models, sample, isSame ? kin : []) ??
    (isSame ? bestDeal({ ...alike, likenesses: likenessesOf(sample, kin) }, models, sample, kin) : undefined)
  if (!deal) return assumed
  const { order } = deal
  if (isSame && order.every((track, place) => track === place)) return sample
  const ours = order.map((track) => models[track].description.timescale)
  strategies.push({ name: 'sound-tracks', outcome: `${spell(ours)}; ${spell(own)} in the sample` })
  findings.add(otherSettings([`sound: ${spell(own)} in the sample, ${spell(ours)} in the file`]))
  if (!isSame)
    findings.add(
      deduced(
        `${rates.length} tracks of sound, ${spell(ours)}`,
        'how many packets come with each picture',
        true,
      ),
    )
  const [first] = kin
  let id = Math.max(...sample.movie.tracks.map(({ header }) => header.id))
  const tracks = order.map((track, place) =>
    placed(models[track], (kin[place] ?? { header: { id: ++id } }).header.id),
  )
  const lessons: Lessons[] = order.map((track, place) => ({
    id: tracks[place].description.id,
    reader: damaged.reader,
    table: dealtTable(unitsOf(units, deal.which, track), unitOf(first)),
  }))
  return {
    ...sample,
    movie: { ...sample.movie, tracks: replaced(sample.movie.tracks, kin, tracks) },
    tracks: replaced(sample.tracks, kin, tracks),
    lessons: [...(sample.lessons ?? []), ...lessons],
    ...(isSame ? {} : { used: ['track layout', 'timing'], assumed: true }),
  }
}

interface Deal {
  /** Tracks in the order in which those come whose packets start at once. */
  readonly order: readonly number[]
  readonly which: Uint8Array
}

/** The deal that is clearly likelier than all others; undefined where none is, or none makes tracks of the units. */
function bestDeal(
  alike: AlikeUnits,
  models: readonly MovieTrack[],
  sample: Teacher,
  kin: readonly MovieTrack[],
): Deal | undefined {
  const seconds = models.map((model) => unitOf(model) / model.description.timescale)
  const learned = kin.length > 0 ? phasesOf(sample, kin) : undefined
  const orders = ordersOf(models)
  const deals: { order: readonly number[]; which: Uint8Array; tellsOrder: boolean }[] = []
  const add = (stand: readonly number[], order: readonly number[]): void => {
    const which = dealByClocks(alike.units.length, seconds, stand, order)
    const same = deals.findIndex((deal) => deal.which.every((track, unit) => track === which[unit]))
    if (same < 0) deals.push({ order, which, tellsOrder: true })
    // what is as in the sample needs no other reason
    else if (same > 0 || !learned) deals[same].tellsOrder &&= deals[same].order === order
  }
  // what was learned from the sample has its order in it
  if (learned) add(learned, orders[0])
  // encoders that need a run-up start theirs by a unit before the recording does
  for (const stand of [seconds.map((length) => -length), seconds.map(() => 0)])
    for (const order of orders) add(stand, order)
  const best = deals.reduce((champion, next) =>
    likelier(alike, next.which, champion.which) > 0 ? next : champion,
  )
  // without tracks of the sample in some order each other is as good
  if ((kin.length > 0 && !best.tellsOrder) || purity(alike, best.which) < PURE) return undefined
  const isSure = deals.every((deal) => deal === best || likelier(alike, best.which, deal.which) > CERTAIN)
  return isSure ? best : undefined
}

function phasesOf({ tracks }: Teacher, kin: readonly MovieTrack[]): readonly number[] | undefined {
  const recorded = tracks.map(({ description, samples }) => ({ description, table: samples }))
  return learnTurns(
    recorded,
    kin.map((track) => tracks.indexOf(track)),
  )?.phases
}

function likenessesOf({ reader }: Teacher, kin: readonly MovieTrack[]): Likeness[] {
  return kin.map(({ description, samples }) => new Likeness(reader, { description, table: samples }))
}

/** All orders of tracks in which those of one rate come as they are. */
function ordersOf(models: readonly MovieTrack[]): number[][] {
  let orders: number[][] = [[]]
  for (const [track, { description }] of models.entries())
    orders = orders.flatMap((order) => {
      const behind =
        1 + order.findLastIndex((other) => models[other].description.timescale === description.timescale)
      return Array.from({ length: order.length - behind + 1 }, (_, i) =>
        order.toSpliced(behind + i, 0, track),
      )
    })
  // the order as it is comes first
  return orders.sort((a, b) => a.join().localeCompare(b.join()))
}

/** The units of the alike tracks from the payload's beginning up to the first hole. */
function firstUnits({ tracks, holes }: Carved, sample: Teacher, kin: readonly MovieTrack[]): Region[] {
  const tables = tracks.flatMap(({ table }, i) => (kin.includes(sample.tracks[i]) ? [table] : []))
  const until = holes[0]?.offset ?? Number.POSITIVE_INFINITY
  const units: Region[] = []
  inFileOrder(tables, (lane, row) => {
    const offset = tables[lane].offset[row]
    if (offset < until && units.length < MOST_UNITS) units.push({ offset, length: tables[lane].size[row] })
  })
  return units
}

/** The sample's track of a rate in Hz, or its first one as if it were. */
function modelOf(kin: readonly MovieTrack[], rate: number): MovieTrack | undefined {
  const { channels } = kin[0].description
  return (
    kin.find(({ description }) => description.timescale === rate) ??
    (channels ? plainAacLike(kin[0], { channels, rate }) : undefined)
  )
}

/** A track under the id given. */
function placed(model: MovieTrack, id: number): MovieTrack {
  return { ...model, description: { ...model.description, id }, header: { ...model.header, id } }
}

/** Tracks with others in place of some of them, further ones at their end. */
function replaced(
  all: readonly MovieTrack[],
  old: readonly MovieTrack[],
  tracks: readonly MovieTrack[],
): MovieTrack[] {
  const kept = all.flatMap((track) => {
    const place = old.findIndex(({ header }) => header.id === track.header.id)
    if (place < 0) return [track]
    return place < tracks.length ? [tracks[place]] : []
  })
  return [...kept, ...tracks.slice(old.length)]
}

function ratesOf(tracks: readonly MovieTrack[]): number[] {
  return tracks.map(({ description }) => description.timescale)
}

function sameRates(a: readonly number[], b: readonly number[]): boolean {
  const [ours, theirs] = [a, b].map((rates) => rates.toSorted((x, y) => x - y).join())
  return ours === theirs
}

function spell(rates: readonly number[]): string {
  return `${rates.join(' and ')} Hz`
}
