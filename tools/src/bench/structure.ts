import type { StreamHashes } from '@mendframe/renderer'
import { isCover } from './covers.ts'
import { inChildren, type Media } from './media.ts'

/** Shares of a recording that are sought. */
const SOUGHT = [0.25, 0.5, 0.75]
/** A stated length may be off by this share, or this many seconds. */
const LENGTH_SHARE = 0.01
const LENGTH_SECONDS = 0.15
/** Time stamps this many seconds apart are the same. */
const SAME = 0.002
/** Containers without an index: players search them by time stamps, and land at any picture of the group that is sought. */
const UNINDEXED = /\.(ts|m2ts|mts|mpe?g|vob|mod|dat)$/i
/** Sound is sought by the container's packets, each of which holds some frames: so many seconds ahead is near enough. */
const SOUND_SECONDS = 0.25

/**
 * How well a file tells players its length and where to seek, 0 to 1: half for the stated length against its packets', half for
 * seeks to a quarter, the middle and three quarters, each of which is to land at the last key packet before it: in containers
 * without an index in that packet's group, of sound alone shortly before it. `keyless`: no key packet was left to lead a seek to,
 * and the length counts alone.
 */
export async function structureOf(
  path: string,
  streams: readonly StreamHashes[],
  { keyless = false, media = inChildren }: { readonly keyless?: boolean; readonly media?: Media } = {},
): Promise<number> {
  const length = trueLength(streams)
  const main =
    streams.find((stream) => stream.kind === 'video' && !isCover(stream)) ??
    streams.find(({ kind }) => kind === 'audio')
  if (!main || length <= 0) return 0
  const keys = keysOf(main.packets)
  const first = keys[0]?.time ?? 0
  const last = Math.max(first, ...main.packets.slice(-100).map(({ pts, dts }) => pts ?? dts ?? first))
  // half a millisecond behind a place, so that rounding moves no seek before a key packet
  const targets = SOUGHT.map((share) => first + (last - first) * share + 0.0005)
  const file = await media.seek(path, main.index, targets)
  if (!file) return 0
  const stated = lengthScore(file.duration, length)
  if (keyless && keys.length === 0) return stated
  const how = { unindexed: UNINDEXED.test(path), sound: main.kind === 'audio' }
  const landed = targets.filter((target, index) => {
    const [from, to] = rightPlaces(target, keys, how)
    const landing = file.landings[index] ?? Number.NaN
    return landing >= from && landing <= to
  }).length
  return (stated + landed / targets.length) / 2
}

type TimedPacket = Pick<StreamHashes['packets'][number], 'pts' | 'dts' | 'key'>

/** A packet that seeks lead to, by when it is shown, in seconds. */
export interface KeyPacket {
  readonly time: number
  /** When it is decoded: players of some containers seek by that. */
  readonly decoded: number
  /**
   * The earliest time of the packets from it on up to the next one: some pictures are shown before the key picture in front of
   * them.
   */
  readonly first: number
}

/**
 * The key packets in the order of their times. Those that tell only when they are decoded, as program streams have them, are
 * shown as long behind that as others are.
 */
export function keysOf(packets: readonly TimedPacket[]): KeyPacket[] {
  const delays = packets.flatMap(({ pts, dts, key }) =>
    key && pts !== undefined && dts !== undefined ? [pts - dts] : [],
  )
  const usual = delays.sort((a, b) => a - b)[delays.length >> 1] ?? 0
  const keys: { time: number; decoded: number; first: number }[] = []
  for (const { pts, dts, key } of packets) {
    const told = pts ?? dts
    if (told === undefined) continue
    const last = keys.at(-1)
    if (key) keys.push({ time: pts ?? told + usual, decoded: dts ?? told, first: told })
    else if (last) last.first = Math.min(last.first, told)
  }
  return keys.sort((a, b) => a.time - b.time)
}

/** Seconds from the first packet's time to the last packet's end. */
function trueLength(streams: readonly StreamHashes[]): number {
  let start = Number.POSITIVE_INFINITY
  let end = Number.NEGATIVE_INFINITY
  for (const { packets } of streams) {
    for (const { pts, dts, duration } of packets) {
      const time = pts ?? dts
      if (time === undefined) continue
      start = Math.min(start, time)
      end = Math.max(end, time + duration)
    }
  }
  return Math.max(0, end - start)
}

function lengthScore(stated: number | undefined, length: number): number {
  if (stated === undefined) return 0
  const off = Math.max(0, Math.abs(stated - length) - Math.max(LENGTH_SECONDS, length * LENGTH_SHARE))
  return Math.max(0, 1 - off / length)
}

/**
 * Between which times a seek is to land, in seconds: from the last key packet before its target, as one nearer to the target is
 * no worse, up to one that is decoded before it; of sound alone from a little before that one, which a packet of the container's
 * may begin with; without an index anywhere in that packet's group, up to the next key packet.
 */
export function rightPlaces(
  target: number,
  keys: readonly KeyPacket[],
  { unindexed, sound }: { readonly unindexed: boolean; readonly sound: boolean },
): [from: number, to: number] {
  const next = keys.findIndex(({ time }) => time > target + SAME)
  const key = (next < 0 ? keys.at(-1) : keys[next - 1]) ?? { time: 0, first: 0 }
  const begin = unindexed ? key.first : key.time
  const from = sound ? begin - SOUND_SECONDS : begin
  const isDecoded = next >= 0 && (keys[next]?.decoded ?? target) < target
  const behind = isDecoded ? keys[next + 1] : keys[next]
  const to = unindexed
    ? (behind?.time ?? Number.POSITIVE_INFINITY)
    : isDecoded
      ? (keys[next]?.time ?? target)
      : target
  return [from - SAME, to + SAME]
}
