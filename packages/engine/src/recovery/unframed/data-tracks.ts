import type { ByteReader } from '../../bytes/reader.ts'
import { codecNamed } from '../../codecs/index.ts'
import { type Recogniser, Unit } from '../../codecs/recogniser.ts'
import { SAMPLE_KEY } from '../../model/sample-table.ts'
import type { Hole } from '../carving/assembler.ts'
import type { Lane } from '../carving/lane.ts'
import type { LanePrior } from '../learning/learn.ts'
import { UnitHabits } from './habits.ts'
import type { Teacher, Track } from './taught-lane.ts'

const NOTHING = new Uint8Array(0)
/** First bytes that all units of a track must share to be known by them. */
const LEAST_PREFIX = 2
const BITS_A_BYTE = 8
/** Units that show what all of a track share. */
const FEWEST_ALIKE = 3

/** A track beside pictures and sound (telemetry, text, time code) whose units are known where one may begin. */
export interface Extra extends Track {
  /** Logarithm to base 2 of the share of units that are this track's. */
  readonly rarity: number
  /** Units are known by their size alone: they are looked for where a recording begins, and in what is left over. */
  readonly vague: boolean
}

/** Those of the lanes whose units tell by their syntax, by first bytes and size, or by size alone that they are theirs. */
export function extrasOf(lanes: readonly Lane[], priors: readonly LanePrior[], sample: Teacher): Extra[] {
  const all = sample.tracks.reduce((sum, { table }) => sum + table.length, 0)
  return lanes.flatMap((lane) => {
    const prior = priors[lane.index]
    const { table } = sample.tracks[lane.index]
    const own = codecNamed(lane.description.codec)?.recogniser(lane.description)
    const { constantUnitBytes } = prior
    const known = table.length >= FEWEST_ALIKE ? prior.prefix : NOTHING
    const alike =
      constantUnitBytes > 0 ? new AlikeUnits(lane.description.codec, constantUnitBytes, known) : undefined
    const recogniser = own?.selfDelimiting ? own : alike
    if (!recogniser || table.length === 0) return []
    const vague = recogniser === alike && known.length < LEAST_PREFIX
    const habits = new UnitHabits()
    habits.read(sample.reader, table)
    const rarity = Math.log2(table.length / all)
    return [{ lane, recogniser, habits, recoveryIsKey: false, unit: new Unit(), rarity, vague }]
  })
}

/** Units that all begin alike and are equally long. */
class AlikeUnits implements Recogniser {
  readonly codec: string
  readonly timescale = 0
  readonly orderStep = 1
  readonly selfDelimiting = true
  readonly #bytes: number
  readonly #prefix: Uint8Array
  #count = 0

  constructor(codec: string, bytes: number, prefix: Uint8Array) {
    this.codec = codec
    this.#bytes = bytes
    this.#prefix = prefix
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    if (offset + this.#bytes > end) return false
    if (this.#prefix.some((byte, i) => reader.u8(offset + i) !== byte)) return false
    unit.length = this.#bytes
    unit.lengthKnown = true
    unit.evidence = this.#prefix.length * BITS_A_BYTE
    unit.key = true
    unit.duration = 0
    unit.gap = 0
    unit.damaged = false
    return true
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    unit.order = this.#count++
    unit.restart = false
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    for (let at = from; at < end; at++)
      if (this.#prefix.every((byte, i) => reader.u8(at + i) === byte)) return at
    return end
  }
}

/**
 * Gives holes that are exactly as long as each unit of a track is, and as many as that track may have, to it: time code is a few
 * bytes that nothing else explains. `holes` is in file order, and loses those.
 */
export function fillHoles(
  holes: Hole[],
  extras: readonly Extra[],
  priors: readonly LanePrior[],
  sample: Teacher,
): void {
  for (const { lane, vague } of extras) {
    const { constantUnitBytes, unitDuration } = priors[lane.index]
    const single = sample.tracks[lane.index].table.length === 1
    if (!vague) continue
    for (let i = 0; i < holes.length; i++) {
      const hole = holes[i]
      if (hole.length !== constantUnitBytes || (single && lane.table.length > 0)) continue
      const order = lane.table.length
      lane.table.push(hole.offset, hole.length, 1, unitDuration, order, SAMPLE_KEY)
      holes.splice(i--, 1)
      for (let later = i + 1; later < holes.length; later++) {
        const rows = holes[later].rows.slice()
        rows[lane.index]++
        holes[later] = { ...holes[later], rows }
      }
    }
  }
}
