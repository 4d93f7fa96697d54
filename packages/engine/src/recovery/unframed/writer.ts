import type { ByteReader } from '../../bytes/reader.ts'
import { hasZeroRun } from '../../bytes/zeros.ts'
import {
  SAMPLE_AFTER_HOLE,
  SAMPLE_DAMAGED,
  SAMPLE_KEY,
  SAMPLE_RESTART,
  SAMPLE_SKIPPED_LEADING,
} from '../../model/sample-table.ts'
import type { Hole } from '../carving/assembler.ts'
import type { Lane } from '../carving/lane.ts'
import type { Interleave } from '../learning/learn.ts'
import { HOLE, type Path } from './path.ts'
import type { Track } from './taught-lane.ts'

/** Zeros in a row that a whole unit may hold. */
const MOST_ZEROS = 511

/** Appends what was decided upon to the lanes. */
export class UnitWriter {
  readonly holes: Hole[] = []
  readonly #reader: ByteReader
  readonly #lanes: readonly Lane[]
  readonly #tracks: readonly Track[]
  readonly #interleave: Interleave
  readonly #afterHole: boolean[]

  constructor(reader: ByteReader, lanes: readonly Lane[], tracks: readonly Track[], interleave: Interleave) {
    this.#reader = reader
    this.#lanes = lanes
    this.#tracks = tracks
    this.#interleave = interleave
    this.#afterHole = lanes.map(() => false)
  }

  openHole(offset: number, length: number): void {
    this.holes.push({ offset, length, rows: this.#lanes.map(({ table }) => table.length) })
    for (const { recogniser } of this.#tracks) recogniser.discontinuity()
    this.#afterHole.fill(true)
  }

  /** Appends a unit to its lane, or notes a hole. */
  write(step: Path): void {
    const length = step.end - step.start
    if (length === 0) return
    if (step.lane === HOLE) {
      this.openHole(step.start, length)
      return
    }
    const track = this.#tracks.find(({ lane }) => lane.index === step.lane)
    if (!track) return
    const { lane, recogniser, unit } = track
    if (!recogniser.recognise(this.#reader, step.start, step.end, unit)) return
    recogniser.accept(this.#reader, step.start, unit)
    track.habits.learn(this.#reader, step.start, length)
    const flags =
      (unit.key || (unit.recovery && track.recoveryIsKey) ? SAMPLE_KEY : 0) |
      (unit.restart ? SAMPLE_RESTART : 0) |
      (unit.damaged || this.#swallowsZeros(step) ? SAMPLE_DAMAGED : 0) |
      (unit.leading ? SAMPLE_SKIPPED_LEADING : 0) |
      (this.#afterHole[lane.index] ? SAMPLE_AFTER_HOLE : 0)
    this.#afterHole[lane.index] = false
    const ticks =
      unit.duration > 0 && recogniser.timescale > 0
        ? (unit.duration * lane.description.timescale) / recogniser.timescale
        : this.#interleave.lanes[lane.index].unitDuration
    lane.table.push(step.start, length, 1, ticks, unit.order, flags)
  }

  /**
   * Whether zeros that no entropy coder writes stand within a unit that reaches to the next one: it may have swallowed others
   * with them.
   */
  #swallowsZeros({ start, end }: Path): boolean {
    let last = end
    while (last > start && this.#reader.u8(last - 1) === 0) last--
    return hasZeroRun(this.#reader, start, last, MOST_ZEROS)
  }
}
