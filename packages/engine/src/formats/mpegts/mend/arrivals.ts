import type { Edits } from '../../../bytes/edits.ts'
import type { ByteSource } from '../../../bytes/source.ts'
import type { Findings } from '../../../model/finding.ts'
import { arrivalsHit } from '../findings.ts'
import { type ArrivalRun, type Arrivals, arrivalIn } from '../read/arrivals.ts'
import type { Layout } from '../read/packet.ts'

const ARRIVAL_BYTES = 4
/** Packets whose arrival times are told as single changes; of more the bytes are changed on their way. */
const MOST_CHANGES = 100_000

/** Gives packets arrival times between those around. Returns the runs that are too long for single changes. */
export function mendArrivals(
  arrivals: Arrivals,
  { size }: Layout,
  edits: Edits,
  findings: Findings,
): readonly ArrivalRun[] {
  const { runs, usual } = arrivals
  for (const { from, count } of runs) findings.add(arrivalsHit(from, count * size, count))
  if (runs.reduce((sum, { count }) => sum + count, 0) > MOST_CHANGES) return runs
  for (const run of runs) {
    for (let k = 0; k < run.count; k++)
      edits.replace(run.from + k * size, ARRIVAL_BYTES, bytesOf(arrivalIn(run, k, usual)))
  }
  return []
}

function bytesOf(time: number): Uint8Array {
  return Uint8Array.of(time >>> 24, (time >>> 16) & 0xff, (time >>> 8) & 0xff, time & 0xff)
}

/** A file whose packets have other arrival times in some runs. */
export class RetimedSource implements ByteSource {
  readonly size: number
  readonly #source: ByteSource
  readonly #runs: readonly ArrivalRun[]
  readonly #usual: number
  readonly #packet: number

  constructor(source: ByteSource, runs: readonly ArrivalRun[], usual: number, { size }: Layout) {
    this.size = source.size
    this.#source = source
    this.#runs = runs
    this.#usual = usual
    this.#packet = size
  }

  read(offset: number, target: Uint8Array): number {
    const got = this.#source.read(offset, target)
    for (const run of this.#runs) {
      if (run.from >= offset + got || run.from + run.count * this.#packet <= offset) continue
      const first = Math.max(0, Math.floor((offset - run.from) / this.#packet))
      const last = Math.min(run.count, Math.ceil((offset + got - run.from) / this.#packet))
      for (let k = first; k < last; k++) {
        const bytes = bytesOf(arrivalIn(run, k, this.#usual))
        const at = run.from + k * this.#packet - offset
        for (let i = 0; i < ARRIVAL_BYTES; i++) if (at + i >= 0 && at + i < got) target[at + i] = bytes[i]
      }
    }
    return got
  }
}
