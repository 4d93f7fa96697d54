import type { EntropyData } from '../../codecs/jpeg/entropy-data.ts'
import type { BandReader, DcReader } from '../../codecs/jpeg/progressive-readers.ts'
import type { Allowance } from '../../model/allowance.ts'
import { type ConstantRun, constantRuns } from '../reading/constant-runs.ts'
import { Resynchroniser } from '../reading/resynchronise.ts'

const BYTE = 8
/** Equal bytes in a row that are damage: what is flat is coded in few bits here, and alike. */
const LEAST_ZONE = 256
/** Runs behind damage that are tried for one that reaches the end. */
const MOST_RUNS = 256

/** Part of the units, and some, by which reading past bits that were turned may miss their number. */
const MISSED = 1 / 256
const MISSED_LEAST = 2

/** The data of a scan of several. */
export interface ScanData extends EntropyData {
  /** Something follows them: they were not cut off. */
  readonly closed: boolean
}

/** Where units of a scan were read: from its start on, and up to its end. Units are blocks of a band, or MCUs of DC. */
export interface TwoEnds {
  /** Units from the first one on, and the bit behind them. */
  readonly head: number
  /** Bit of the first unit of those that reach the end, -1 when none do, and how many they are. */
  readonly tailStart: number
  readonly tail: number
  /** Bits were turned somewhere in the head, which is read as far as the data go. */
  readonly hit: boolean
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
  data: ScanData,
  reader: Reader,
  total: number,
  unitLength: number,
  allowance: Allowance,
): TwoEnds {
  // what is flat at the end of a picture is coded alike up to the end of the data
  const zones = constantRuns(data.bytes, data.length).filter(
    ({ from, to }) => to - from >= LEAST_ZONE && !(data.closed && to >= data.length - 1),
  )
  const end = data.length * BYTE
  const scratch = new Int16Array(unitLength)
  // equal bytes in place of others would be read as far more units than were there
  const all = readUntilBreak(reader, 0, end, [], scratch, total)
  if (end - all.at < 2 * BYTE && total - all.units <= Math.max(MISSED_LEAST, MISSED * total))
    return { head: all.units, tailStart: -1, tail: 0, hit: true }
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
      return { head: head.units, tailStart: start, tail: tail.units, hit: false }
    }
    from = Math.max(tail.at, start) + 1
  }
  return { head: head.units, tailStart: -1, tail: 0, hit: false }
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
