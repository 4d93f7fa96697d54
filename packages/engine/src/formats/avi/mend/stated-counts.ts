import { CHUNK_HEADER } from '../../../syntax/riff/chunk.ts'
import type { ChunkTable } from '../read/chunk-table.ts'
import { LOST, NO_TIME } from '../read/chunk-table.ts'
import { unitsOf } from '../read/clock.ts'
import { type AviStream, unitSeconds } from '../read/stream.ts'
import type { Gap, Walk } from '../read/walk.ts'
import type { HoleLoss } from './losses.ts'

/**
 * Times as many pictures as fit by their mean size into what is missing that a header may say are, times as few as fit by the
 * largest one's, and pictures on top: beyond, it is no count.
 */
const PLAUSIBLE = 2.5
const SPARE = 2
/** Seconds by which what a header says is missing of sound may differ from what else tells it. */
const NEAR = 0.5
/** Seconds by which sound that is missing is not noticed: the narrower threshold of ITU-R BT.1359-1. */
const SLIGHT = 0.045

/**
 * Holds losses against the counts in the headers, which say how much is missing in all holes together. Where one hole alone is in
 * doubt, that is what it took; where the estimates agree with the counts, they are right. A hole at the end of the data takes an
 * unknown share, so that the counts tell nothing of the others.
 */
export function withStatedCounts(
  losses: ReadonlyMap<number, HoleLoss>,
  { chunks, gaps, taken, told }: Pick<Walk, 'chunks' | 'gaps' | 'taken' | 'told'>,
  streams: readonly AviStream[],
): ReadonlyMap<number, HoleLoss> {
  const main = streams.find(({ description }) => description.kind === 'video')
  if (losses.size === 0 || !main) return losses
  const missing = main.header.length - unitsIn(chunks, main)
  const isEndLost = gaps.some(({ offset, row }) => row >= chunks.length && offset + CHUNK_HEADER < told)
  const sounds = streams.filter(({ description }) => description.kind === 'audio')
  if (taken === undefined || isEndLost)
    return missing === 0 ? withoutPictures(losses, chunks, main, sounds) : withinCount(losses, missing)
  if (!isPlausible(missing, chunks, gaps, taken, main)) return losses
  const counted = withPictures(losses, missing, unitSeconds(main), taken)
  return sounds.reduce((all, stream) => withSound(all, chunks, main, stream), counted)
}

/**
 * The losses, where what is `missing` by the header's count is missing from holes and from a lost end together: holes cost no
 * more than that.
 */
function withinCount(losses: ReadonlyMap<number, HoleLoss>, missing: number): ReadonlyMap<number, HoleLoss> {
  const all = [...losses]
  const total = all.reduce((sum, [, { pictures }]) => sum + pictures, 0)
  return missing < 0 || total <= missing ? losses : shared(losses, all, missing - total)
}

/** The losses, where all pictures are there by their count, so that the end is, too: holes cost sound alone. */
function withoutPictures(
  losses: ReadonlyMap<number, HoleLoss>,
  chunks: ChunkTable,
  main: AviStream,
  sounds: readonly AviStream[],
): ReadonlyMap<number, HoleLoss> {
  const each = unitSeconds(main)
  const isHeard = sounds.some((sound) => missingSeconds(chunks, sound) > SLIGHT)
  const certain = losses.size === 1 || !isHeard
  const silent = [...losses].map(
    ([offset, loss]) => [offset, { ...later(loss, -loss.pictures, each), certain }] as const,
  )
  return sounds.reduce(
    (all, sound) => (sound.header.length > 0 ? withSound(all, chunks, main, sound) : unsure(all)),
    new Map(silent) as ReadonlyMap<number, HoleLoss>,
  )
}

/** Seconds of sound that are missing by its header's count. */
function missingSeconds(chunks: ChunkTable, stream: AviStream): number {
  return (stream.header.length - unitsIn(chunks, stream)) * unitSeconds(stream)
}

function unsure(losses: ReadonlyMap<number, HoleLoss>): ReadonlyMap<number, HoleLoss> {
  return new Map([...losses].map(([offset, loss]) => [offset, { ...loss, certain: false }]))
}

/** A loss of so many pictures more, or less, with as much of all else. */
function later(loss: HoleLoss, more: number, each: number): HoleLoss {
  const others = [...loss.others].map(([stream, time]) => [stream, Math.max(0, time + more * each)] as const)
  return { ...loss, pictures: loss.pictures + more, others: new Map(others) }
}

/** Units as headers count them: chunks of no byte are one, too, where each chunk is a unit. */
export function unitsIn(chunks: ChunkTable, stream: AviStream): number {
  const least = stream.header.sampleSize > 0 ? 0 : 1
  let units = 0
  for (let row = 0; row < chunks.length; row++)
    if (chunks.stream[row] === stream.number && !(chunks.flags[row] & (LOST | NO_TIME)))
      units += Math.max(least, unitsOf(stream, chunks.size[row]))
  return units
}

/** Whether so many pictures fit into the bytes that are missing or were hit. */
function isPlausible(
  missing: number,
  { length, size }: ChunkTable,
  gaps: readonly Gap[],
  taken: number,
  main: AviStream,
): boolean {
  if (missing < 0 || main.header.length === 0) return false
  let bytes = 0
  let largest = 1
  for (let row = 0; row < length; row++) {
    bytes += size[row]
    largest = Math.max(largest, size[row])
  }
  const each = bytes / Math.max(1, main.header.length - missing)
  const hit = gaps.reduce((sum, { offset, end, row }) => (row < length ? sum + end - offset : sum), 0)
  const room = hit + Math.max(0, taken)
  const most = (room / Math.max(1, each)) * PLAUSIBLE + SPARE
  return missing <= most && missing >= room / largest / PLAUSIBLE - SPARE
}

function withPictures(
  losses: ReadonlyMap<number, HoleLoss>,
  missing: number,
  each: number,
  taken: number,
): ReadonlyMap<number, HoleLoss> {
  const all = [...losses]
  const total = all.reduce((sum, [, { pictures }]) => sum + pictures, 0)
  const doubtful = all.filter(([, { certain }]) => !certain)
  // of bytes that were taken out nothing tells how many were from which of several holes
  const isParted = taken !== 0 && doubtful.filter(([, { numbered }]) => !numbered).length > 1
  if (total === missing && missing > 0 && isParted) return losses
  if (total === missing) return new Map(all.map(([offset, loss]) => [offset, { ...loss, certain: true }]))
  const turned = byPeriods(losses, doubtful, missing - total, each)
  if (turned) return turned
  const among = doubtful.length > 0 ? doubtful : all
  const [[offset, loss]] = among
  const pictures = loss.pictures + missing - total
  if (among.length > 1 || pictures < 0) return shared(losses, among, missing - total)
  return new Map(losses).set(offset, { ...loss, pictures, certain: true })
}

/**
 * The losses, where pictures' numbers are right of all holes, and tell of the only one that can have taken so many more or less
 * how often they began anew. Undefined where that is not so.
 */
function byPeriods(
  losses: ReadonlyMap<number, HoleLoss>,
  doubtful: readonly (readonly [number, HoleLoss])[],
  difference: number,
  each: number,
): ReadonlyMap<number, HoleLoss> | undefined {
  const able = doubtful.filter(([, { pictures }]) => pictures + difference >= 0)
  const [only] = able
  if (able.length !== 1 || only[1].period === 0 || difference % only[1].period !== 0) return undefined
  return new Map(
    [...losses].map(([offset, loss]) => [
      offset,
      { ...later(loss, offset === only[0] ? difference : 0, each), certain: true },
    ]),
  )
}

/**
 * Shares what is missing, or too much, out among holes by what they took as far as is known; which took how much stays in doubt.
 */
function shared(
  losses: ReadonlyMap<number, HoleLoss>,
  among: readonly (readonly [number, HoleLoss])[],
  difference: number,
): ReadonlyMap<number, HoleLoss> {
  const result = new Map(losses)
  const total = among.reduce((sum, [, { pictures }]) => sum + pictures + 1, 0)
  let given = 0
  let weight = 0
  for (const [offset, loss] of among) {
    weight += loss.pictures + 1
    const more = Math.round((difference * weight) / total) - given
    given += more
    result.set(offset, { ...loss, pictures: Math.max(0, loss.pictures + more), certain: false })
  }
  return result
}

/**
 * Gives holes the sound that a header says is missing, the same more or less to each beyond what they took as far as is known.
 * Where that is far from both what is known and what the lost pictures last, one of the counts is none.
 */
function withSound(
  losses: ReadonlyMap<number, HoleLoss>,
  chunks: ChunkTable,
  main: AviStream,
  stream: AviStream,
): ReadonlyMap<number, HoleLoss> {
  const { number, header } = stream
  if (header.length === 0) return losses
  const missing = missingSeconds(chunks, stream)
  const all = [...losses.values()]
  const known = all.reduce((sum, { others }) => sum + (others.get(number) ?? 0), 0)
  const shown = all.reduce((sum, { pictures }) => sum + pictures, 0) * unitSeconds(main)
  if (missing < -NEAR || Math.min(Math.abs(missing - known), Math.abs(missing - shown)) > NEAR)
    return unsure(losses)
  const more = (missing - known) / losses.size
  return new Map(
    [...losses].map(([offset, loss]) => {
      const seconds = Math.max(0, (loss.others.get(number) ?? 0) + more)
      return [offset, { ...loss, others: new Map(loss.others).set(number, seconds) }]
    }),
  )
}
