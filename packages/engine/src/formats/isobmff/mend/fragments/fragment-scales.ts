import type { Findings } from '../../../../model/finding.ts'
import type { SampleTable } from '../../../../model/sample-table.ts'
import { USUAL_RATES } from '../../../../recording/deduce/clock.ts'
import { tableMended } from '../../findings.ts'
import type { MovieTrack } from '../../read/movie.ts'
import { flip } from '../bits.ts'
import { likeliestScale, soundRate, usualBits, withScale } from '../times/time-scales.ts'

/**
 * Bits for a time scale that sound has for its rate; for one by which pictures come at a usual rate; by which lengths agree at
 * most.
 */
const GAIN = { sound: 10, pictures: 10, most: 16 }
/** Lengths nearer than this, in seconds, agree as well as they can: tracks end with their last whole sample each. */
const NEAREST = 0.05
/** By how much of the longer one and how many seconds tracks must differ to disagree: one may end early. */
const DISAGREE = { share: 0.125, seconds: 0.5 }
/** Ticks that divide a second into pictures do so exactly, but for how numbers are kept. */
const EXACT = 1e-9
/** Bits that a track's time scale must have more than any other that a flip would make of it, not to be a guess. */
const AHEAD = 2
/** Durations looked at for the commonest one. */
const LOOKED_AT = 4096

/**
 * The tracks of a movie whose samples are in fragments, with the time scales of their media, ISO/IEC 14496-12:2022 §8.4.2, where
 * a single flipped bit made another of one. No header tells a length there: the fragments do, by which all tracks last about as
 * long, sound has the ticks of its rate and pictures come at a usual one. Tracks that then still disagree, or whose scale no
 * writer uses, have times that are a guess.
 * @param tracks with the samples of all fragments
 * @param hit whether the movie box was found to be hit elsewhere: then less proof is asked for
 */
export function mendFragmentScales(
  tracks: readonly MovieTrack[],
  hit: boolean,
  findings: Findings,
): readonly MovieTrack[] {
  const played = tracks.filter(({ samples, description: { kind } }) => {
    return (kind === 'video' || kind === 'audio') && ticksOf(samples) > 0
  })
  const disagree = played.some((track) => disagrees(track, played))
  if (!hit && !disagree) return tracks
  let mended = tracks
  for (const { description } of played) {
    const at = mended.findIndex((track) => track.description === description)
    const track = mended[at]
    const others = mended.filter(
      (other, i) => i !== at && played.some((one) => one.samples === other.samples),
    )
    const was = track.mediaHeader.timescale
    const best = likeliestScale(was, (scale) => bitsFor(track, scale, others))
    if (best === was) continue
    findings.add(tableMended(description.id, 'mdhd', was, best))
    mended = mended.with(at, withScale(track, best))
  }
  if (!hit) return mended
  const heard = mended.filter((track) => played.some(({ samples }) => samples === track.samples))
  return mended.map((track) =>
    heard.includes(track) && (disagrees(track, heard) || isStrange(track) || hasRival(track, heard))
      ? { ...track, tables: { ...track.tables, durationsGuessed: true as const } }
      : track,
  )
}

/** Bits that speak for a time scale of a track. */
function bitsFor(track: MovieTrack, scale: number, others: readonly MovieTrack[]): number {
  const seconds = ticksOf(track.samples) / scale
  const near = others.map((other) => {
    const theirs = secondsOf(other)
    const miss = Math.max(Math.abs(seconds - theirs), NEAREST)
    return Math.min(GAIN.most, -Math.log2(miss / Math.max(seconds, theirs)))
  })
  return usualBits(scale) + rateBits(track, scale) + Math.max(0, ...near)
}

function rateBits(track: MovieTrack, scale: number): number {
  if (track.description.kind === 'audio') return soundRate(track) === scale ? GAIN.sound : 0
  const rate = scale / commonest(track.samples)
  return USUAL_RATES.some(({ num, den }) => Math.abs(num / den / rate - 1) < EXACT) ? GAIN.pictures : 0
}

/** Nothing but itself speaks for a track's time scale. */
function isStrange(track: MovieTrack): boolean {
  const { timescale } = track.mediaHeader
  return usualBits(timescale) < 0 && rateBits(track, timescale) === 0
}

/** Whether as much speaks for another time scale, a single bit away, as for a track's own, but for the flip that takes. */
function hasRival(track: MovieTrack, tracks: readonly MovieTrack[]): boolean {
  const others = tracks.filter((other) => other !== track)
  const own = track.mediaHeader.timescale
  const least = bitsFor(track, own, others) - AHEAD
  return Array.from({ length: 32 }, (_, bit) => flip(own, bit)).some(
    (scale) => scale > 0 && bitsFor(track, scale, others) > least,
  )
}

/** Whether a track is of another length than all others. */
function disagrees(track: MovieTrack, tracks: readonly MovieTrack[]): boolean {
  const mine = secondsOf(track)
  const others = tracks.filter((other) => other !== track).map(secondsOf)
  return (
    others.length > 0 &&
    others.every((theirs) => {
      const apart = Math.abs(mine - theirs)
      return apart > DISAGREE.seconds && apart > Math.max(mine, theirs) * DISAGREE.share
    })
  )
}

function secondsOf({ samples, mediaHeader }: MovieTrack): number {
  return ticksOf(samples) / mediaHeader.timescale
}

/** Ticks from the first sample's start to the last one's end. */
function ticksOf({ length, dts, duration }: SampleTable): number {
  return length === 0 ? 0 : dts[length - 1] + duration[length - 1] - dts[0]
}

function commonest({ length, duration }: SampleTable): number {
  const counts = new Map<number, number>()
  for (let row = 0; row < Math.min(length, LOOKED_AT); row++)
    counts.set(duration[row], (counts.get(duration[row]) ?? 0) + 1)
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0]
}
