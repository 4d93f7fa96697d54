import type { EntropyData } from '../codecs/jpeg/entropy-data.ts'
import type { BandReader, DcReader } from '../codecs/jpeg/progressive-readers.ts'
import type { Allowance } from '../model/allowance.ts'
import { type ConstantRun, constantRuns } from './constant-runs.ts'
import { Resynchroniser } from './resynchronise.ts'

const BYTE = 8
/** Equal bytes in a row that are damage: what is flat is coded in few bits here, and alike. */
const LEAST_ZONE = 256
/** Runs behind damage that are tried for one that reaches the end. */
const MOST_RUNS = 256

/** Where units of a scan were read: from its start on, and up to its end. Units are blocks of a band, or MCUs of DC. */
export interface TwoEnds {
  /** Units from the first one on, and the bit behind them. */
  readonly head: number
  /** Bit of the first unit of those that reach the end, -1 when none do, and how many they are. */
  readonly tailStart: number
  readonly tail: number
}

type Reader = BandReader | DcReader

/** Units that one reading stands for: a block of a band may have empty ones behind it. */
function unitsOf(reader: Reader): number {
  return 'emptyBehind' in reader ? 1 + reader.emptyBehind : 1
}

/**
 * Reads a scan of a progressive picture from its start up to damage, and finds from where on it can be read to its very end: both places are
 * known, by counting from the start and back from the end. What lies between is lost.
 */
export function readBothEnds(
  data: EntropyData,
  reader: Reader,
  total: number,
  unitLength: number,
  allowance: Allowance,
): TwoEnds {
  const zones = constantRuns(data.bytes, data.length).filter(({ from, to }) => to - from >= LEAST_ZONE)
  const end = data.length * BYTE
  const scratch = new Int16Array(unitLength)
  const usual = Math.max(4, end / total)
  const resynchroniser = new Resynchroniser(reader, unitLength, allowance)
  const head = readUntilBreak(reader, 0, end, zones, scratch, total)
  let from = head.at + 1
  for (let run = 0; run < MOST_RUNS && head.units < total; run++) {
    const zone = zones.find(({ from: start, to }) => start * BYTE <= from + BYTE && to * BYTE > from)
    const start = resynchroniser.find(zone ? zone.to * BYTE : from, end, usual)
    if (start < 0) break
    const tail = readUntilBreak(reader, start, end, zones, scratch, total)
    if (end - tail.at < BYTE && tail.units <= total) {
      return { head: head.units, tailStart: start, tail: tail.units }
    }
    from = Math.max(tail.at, start) + 1
  }
  return { head: head.units, tailStart: -1, tail: 0 }
}

function readUntilBreak(
  reader: Reader,
  start: number,
  end: number,
  zones: readonly ConstantRun[],
  scratch: Int16Array,
  most: number,
): { units: number; at: number } {
  const zone = zones.find(({ to }) => to * BYTE > start)
  const limit = zone ? Math.min(end, zone.from * BYTE) : end
  let at = start
  let units = 0
  while (units < most) {
    const next = reader.read(at, scratch, 0)
    if (next < 0 || next > limit) break
    units += unitsOf(reader)
    at = next
  }
  return { units, at }
}
