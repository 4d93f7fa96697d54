import type { PacketHash, StreamHashes } from '@mendframe/renderer'
import type { Match } from './sequence.ts'

/** Audio times may be off by this many seconds: half of the longest usual packet, and far below what an ear notices. */
export const AUDIO_TOLERANCE = 0.03

/** Of pictures that are there among others, by how many seconds each is shown later, where their packets do not tell when. */
export function latePictures(
  stream: StreamHashes,
  survived: StreamHashes | undefined,
  pairs: readonly Match[],
): ReadonlyMap<number, number> {
  const untold = stream.packets.some(({ pts }) => pts === undefined)
  const [before, after] = [shownTimes(stream), survived ? shownTimes(survived) : []]
  return new Map(
    pairs.map(({ left, right }) => {
      const late = difference(after[right], before[left])
      return [left, untold && Number.isFinite(late) ? late : 0]
    }),
  )
}

/** Times of pictures. Those that a decoder hands out behind the last packet of an AVI have none: they follow at the last step. */
export function shownTimes({ frames }: StreamHashes): (number | undefined)[] {
  const times = frames.map(({ pts }) => pts)
  const last = times.findLastIndex((time) => time !== undefined)
  const step = difference(times[last], times[last - 1])
  if (Number.isNaN(step)) return times
  for (let i = last + 1; i < times.length; i++) times[i] = (times[last] ?? 0) + (i - last) * step
  return times
}

/** Turns an offset into a track's plain samples into seconds. */
export function clockOf(stream: {
  readonly packets: readonly Pick<PacketHash, 'pts' | 'size' | 'duration'>[]
}): (offset: number) => number | undefined {
  const starts: number[] = []
  let total = 0
  for (const packet of stream.packets) {
    starts.push(total)
    total += packet.size
  }
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    const packet = stream.packets[low]
    if (packet?.pts === undefined || packet.size === 0) return undefined
    return packet.pts + ((offset - (starts[low] ?? 0)) / packet.size) * packet.duration
  }
}

/**
 * How many shifts agree with the one constant offset that most agree with, and that offset, as the usual shift of those that
 * agree. A shift may be off by the tolerance, and by any part of what excuses it.
 */
export function timely(
  shifts: readonly number[],
  tolerance: number,
  excused: readonly number[] = [],
): { timely: number; offset: number } {
  const spans = shifts.flatMap((shift, index) => {
    const late = excused[index] ?? 0
    const [from, to] = [shift - Math.max(0, late) - tolerance, shift - Math.min(0, late) + tolerance]
    return Number.isFinite(shift) ? [{ shift, from, to }] : []
  })
  const starts = spans.map(({ from }) => from).sort((a, b) => a - b)
  const ends = spans.map(({ to }) => to).sort((a, b) => a - b)
  let most = 0
  let place = 0
  let begun = 0
  // where most spans meet, one of them ends
  for (const [ended, end] of ends.entries()) {
    while (begun < starts.length && (starts[begun] ?? 0) <= end) begun++
    if (begun - ended <= most) continue
    most = begun - ended
    place = end
  }
  const best = spans.filter(({ from, to }) => from <= place && to >= place)
  const middle = best.map(({ shift }) => shift).sort((a, b) => a - b)
  return { timely: most, offset: middle[(middle.length - 1) >> 1] ?? 0 }
}

/** Half of the usual distance between two pictures, in seconds. */
export function halfInterval(times: readonly number[]): number {
  const steps = times
    .slice(1)
    .map((time, index) => time - (times[index] ?? 0))
    .sort((a, b) => a - b)
  return (steps[steps.length >> 1] ?? 0.04) / 2
}

/** Seconds from the one to the other; NaN where one of them is not told. */
export function difference(a: number | undefined, b: number | undefined): number {
  return a === undefined || b === undefined ? Number.NaN : a - b
}
