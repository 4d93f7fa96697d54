import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { StreamHashes } from '@mendframe/renderer'

/** What a player is told by a file: its length in seconds, and where seeks land (null: nowhere). */
export interface SeekableFile {
  readonly duration: number | undefined
  readonly landings: readonly (number | null)[]
}

const CHILD = fileURLToPath(new URL('./structure-child.ts', import.meta.url))
const TIMEOUT_MS = 60_000
/** Shares of a recording that are sought. */
const SOUGHT = [0.25, 0.5, 0.75]
/** A stated length may be off by this share, or this many seconds. */
const LENGTH_SHARE = 0.01
const LENGTH_SECONDS = 0.15
/** Time stamps this many seconds apart are the same. */
const SAME = 0.002

/**
 * How well a file tells players its length and where to seek, 0 to 1: half for the stated length against its packets', half for seeks to a
 * quarter, the middle and three quarters, each of which is to land at the last key packet before it.
 */
export async function structureOf(path: string, streams: readonly StreamHashes[]): Promise<number> {
  const length = trueLength(streams)
  const main = streams.find(({ kind }) => kind === 'video') ?? streams.find(({ kind }) => kind === 'audio')
  if (!main || length <= 0) return 0
  const keys = main.packets
    .filter(({ key }) => key)
    .map(({ pts, dts }) => pts ?? dts)
    .filter((time) => time !== undefined)
    .sort((a, b) => a - b)
  const [first = 0] = keys
  const last = Math.max(first, ...main.packets.slice(-100).map(({ pts, dts }) => pts ?? dts ?? first))
  // half a millisecond behind a place, so that rounding moves no seek before a key packet
  const targets = SOUGHT.map((share) => first + (last - first) * share + 0.0005)
  const file = await seek(path, main.index, targets)
  if (!file) return 0
  const stated = lengthScore(file.duration, length)
  const landed = targets.filter((target, index) => isRight(file.landings[index], target, keys)).length
  return (stated + landed / targets.length) / 2
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

/** Whether a seek landed on the last key packet before its target, by times: one nearer to the target is no worse. */
function isRight(landing: number | null | undefined, target: number, keys: readonly number[]): boolean {
  if (landing === null || landing === undefined) return false
  const key = keys.findLast((time) => time <= target + SAME) ?? 0
  return landing >= key - SAME && landing <= target + SAME
}

function seek(path: string, stream: number, times: readonly number[]): Promise<SeekableFile | undefined> {
  const args = [CHILD, path, String(stream), ...times.map(String)]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: TIMEOUT_MS }, (error, stdout) => {
      // what no demuxer opens, or what takes it down, tells nothing
      resolve(error ? undefined : JSON.parse(stdout))
    })
  })
}
