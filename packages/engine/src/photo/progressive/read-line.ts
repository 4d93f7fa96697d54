import type { EntropyData } from '../../codecs/jpeg/entropy-data.ts'
import type { BandReader, DcReader } from '../../codecs/jpeg/progressive-readers.ts'
import { Allowance } from '../../model/allowance.ts'
import { constantRuns } from '../reading/constant-runs.ts'
import { Resynchroniser } from '../reading/resynchronise.ts'

const BYTE = 8
/** Equal bytes in a row that are damage where reading over them does not come to the scan's end. */
const LEAST_ZONE = 256
/** Readings that finding the way may take, for each unit and at least; places where reading begins anew, at most. */
const STEPS_PER_UNIT = 16
const LEAST_STEPS = 100_000
const MOST_STARTS = 64
/** Bits in front of overwritten bytes within which what cannot be read is theirs. */
const NEAR_ZONE = 256
/** Units that may be read beyond those of the picture: a part of them, and some. */
const SURPLUS = 1 / 8
const SURPLUS_LEAST = 64

/** The data of a scan of several. */
export interface ScanData extends EntropyData {
  /** Something follows them: they were not cut off. */
  readonly closed: boolean
}

/** Units of a first scan as they were read one behind the other, wherever they belong: blocks of a band, or MCUs of DC. */
export interface Line {
  readonly count: number
  /** The bit that each begins with, -1 of blocks in a run of empty ones. */
  readonly bits: Int32Array
  /** Units with which reading begins anew, in order, the first of all among them. */
  readonly starts: readonly number[]
  /** Units behind what is flat that reading went over in step: damage may have put it there, and moved them. */
  readonly doubtful: readonly number[]
  /** The last bits that were read are the scan's. */
  readonly ended: boolean
  /** Bits passed over, and those of a usual unit. */
  readonly lost: number
  readonly usual: number
}

type Reader = BandReader | DcReader

/**
 * Reads all units of a damaged first scan, of which a sound one has `total`, that can be read. `unitLength`: coefficients of
 * each.
 */
export function readLine(data: ScanData, reader: Reader, total: number, unitLength: number): Line {
  const end = data.length * BYTE
  const most = total + Math.ceil(total * SURPLUS) + SURPLUS_LEAST
  const bits = new Int32Array(most)
  const scratch = new Int16Array(unitLength)
  const usual = end / total
  const isEnd = (bit: number): boolean => end - bit < BYTE
  let count = 0
  let at = 0
  const follow = (limit: number): void => {
    while (count < most && !isEnd(at)) {
      const next = reader.read(at, scratch, 0)
      const empty = 'emptyBehind' in reader ? reader.emptyBehind : 0
      if (next < 0 || next > limit || count + 1 + empty > most) return
      bits[count++] = at
      bits.fill(-1, count, count + empty)
      count += empty
      at = next
    }
  }
  const doubtful: number[] = []
  const line = (starts: readonly number[], lost: number): Line => ({
    ...{ count, bits, starts, doubtful, lost, usual },
    ended: data.closed && isEnd(at),
  })
  follow(end)
  if (isEnd(at) && count === total) return line([0], 0)
  const zones = constantRuns(data.bytes, data.length).filter(
    ({ from, to }) => to - from >= LEAST_ZONE && !(data.closed && to >= data.length - 1),
  )
  const allowance = new Allowance(Math.max(LEAST_STEPS, STEPS_PER_UNIT * total))
  const resynchroniser = new Resynchroniser(reader, unitLength, allowance)
  const find = (from: number): number => resynchroniser.find(from, end, Math.max(4, usual))
  /** The bit behind equal bytes that tell of what is flat alone and over which reading comes to the way behind them, or -1. */
  const passFlat = (from: number, until: number): number => {
    let behind = at
    while (behind >= 0 && behind < until) {
      const unit = behind
      behind = reader.read(unit, scratch.fill(0), 0)
      if (unit >= from && behind <= until && scratch.some((value) => value !== 0)) return -1
    }
    let own = behind
    let found = find(until)
    while (own >= 0 && found >= 0 && own !== found) {
      if (own < found) own = reader.read(own, scratch, 0)
      else found = reader.read(found, scratch, 0)
    }
    return own === found ? behind : -1
  }
  const readAll = (passing: boolean): Line => {
    const starts: number[] = [0]
    let lost = 0
    doubtful.length = 0
    count = 0
    at = 0
    for (;;) {
      const zone = zones.find(({ to }) => to * BYTE > at)
      follow(zone ? zone.from * BYTE : end)
      if (isEnd(at) || count === most || starts.length === MOST_STARTS) break
      const hit = zone && zone.from * BYTE - at < NEAR_ZONE
      const behind = hit && passing ? passFlat(zone.from * BYTE, zone.to * BYTE) : -1
      if (behind > at) {
        follow(behind)
        if (at < behind) break
        doubtful.push(count)
        continue
      }
      const start = find(hit ? zone.to * BYTE : at + 1)
      if (start < 0) break
      lost += start - at
      at = start
      if (count > 0) starts.push(count)
    }
    return line(starts, lost)
  }
  // single blocks soon fall into step behind anything, and empty ones change how refinements are read
  const whole = readAll(!('emptyBehind' in reader))
  // with what reads as flat there are more units than there can be: it is damage
  return doubtful.length > 0 && count === most && !isEnd(at) ? readAll(false) : whole
}
