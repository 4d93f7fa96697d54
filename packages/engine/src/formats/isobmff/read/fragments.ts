import { widened } from '../../../bytes/columns.ts'
import type { Box } from '../../../syntax/iso-boxes/box.ts'
import type { TrackFragmentHeader } from '../boxes/tfhd.ts'
import { entryWords, RUN_DURATION, RUN_SIZE, type RunField, type TrackRun } from '../boxes/trun.ts'

/** Rows that columns have room for at first. */
const ROWS = 64

/** The media data behind a fragment. */
export interface Payload {
  readonly start: number
  readonly end: number
}

/**
 * Movie fragments, ISO/IEC 14496-12:2022 §8.8.4, as they were read: columns of fragments, of their parts (one track's share of a
 * fragment each) and of the parts' runs, in file order, because a film has hundreds of thousands. Nothing of them is placed in
 * the file or in time yet. What is mended is changed in them.
 */
export class Fragments {
  /** By fragment. */
  readonly boxes: readonly Box[]
  /** Fragments that the sequence numbers skip before each. */
  readonly missing: Float64Array<ArrayBuffer>
  readonly #payloadStart: Float64Array<ArrayBuffer>
  readonly #payloadEnd: Float64Array<ArrayBuffer>
  readonly #partsEnd: Uint32Array<ArrayBuffer>
  /** By part. */
  readonly headers: TrackFragmentHeader[] = []
  /** From `tfdt`, in ticks of the track; NaN where there is none. */
  start = new Float64Array(ROWS)
  #fragment = new Uint32Array(ROWS)
  #runsEnd = new Uint32Array(ROWS)
  /** Samples of each run. */
  count = new Uint32Array(ROWS)
  /** From the fragment's base to each run's first sample, in bytes; NaN where the run does not say. */
  dataOffset = new Float64Array(ROWS)
  /** Flags of each run's first sample; NaN where the run does not say. */
  firstFlags = new Float64Array(ROWS)
  /** By run: what its entries tell, and where they begin among those of all. */
  #fields = new Uint16Array(ROWS)
  #entries = new Uint32Array(ROWS)
  #words = new Uint32Array(ROWS)
  #fragments = 0
  #runs = 0
  #used = 0

  /** Has no parts yet. @param boxes of all fragments */
  constructor(boxes: readonly Box[]) {
    this.boxes = boxes
    this.missing = new Float64Array(boxes.length)
    this.#payloadStart = new Float64Array(boxes.length)
    this.#payloadEnd = new Float64Array(boxes.length)
    this.#partsEnd = new Uint32Array(boxes.length)
  }

  /** Fragments. */
  get length(): number {
    return this.boxes.length
  }

  get parts(): number {
    return this.headers.length
  }

  /** Begins the next fragment: parts that are added are its own. */
  addFragment(payload: Payload | undefined): void {
    const fragment = this.#fragments++
    this.#payloadStart[fragment] = payload?.start ?? Number.NaN
    this.#payloadEnd[fragment] = payload?.end ?? Number.NaN
    this.#partsEnd[fragment] = this.parts
  }

  /** Begins the next part of the last fragment. @param start NaN where it is not told */
  addPart(header: TrackFragmentHeader, start: number): void {
    const part = this.headers.push(header) - 1
    if (part === this.start.length) {
      this.start = widened(this.start, part * 2)
      this.#fragment = widened(this.#fragment, part * 2)
      this.#runsEnd = widened(this.#runsEnd, part * 2)
    }
    this.start[part] = start
    this.#fragment[part] = this.#fragments - 1
    this.#runsEnd[part] = this.#runs
    this.#partsEnd[this.#fragments - 1] = part + 1
  }

  /** Adds a run to the last part. */
  addRun({ count, dataOffset, firstFlags, fields, entries }: TrackRun): void {
    const run = this.#runs++
    if (run === this.count.length) this.#widenRuns(run * 2)
    this.count[run] = count
    this.dataOffset[run] = dataOffset ?? Number.NaN
    this.firstFlags[run] = firstFlags ?? Number.NaN
    this.#fields[run] = fields
    this.#entries[run] = this.#used
    const used = this.#used + entries.length
    if (used > this.#words.length) this.#words = widened(this.#words, Math.max(used, this.#words.length * 2))
    this.#words.set(entries, this.#used)
    this.#used = used
    this.#runsEnd[this.parts - 1] = run + 1
  }

  #widenRuns(rows: number): void {
    this.count = widened(this.count, rows)
    this.dataOffset = widened(this.dataOffset, rows)
    this.firstFlags = widened(this.firstFlags, rows)
    this.#fields = widened(this.#fields, rows)
    this.#entries = widened(this.#entries, rows)
  }

  /** Undefined where something else than media data follows. */
  payload(fragment: number): Payload | undefined {
    const start = this.#payloadStart[fragment]
    return Number.isNaN(start) ? undefined : { start, end: this.#payloadEnd[fragment] }
  }

  firstPart(fragment: number): number {
    return fragment === 0 ? 0 : this.#partsEnd[fragment - 1]
  }

  /** Behind the last part of a fragment. */
  partsEnd(fragment: number): number {
    return this.#partsEnd[fragment]
  }

  /** Whether a fragment has a part of this track. */
  has(fragment: number, track: number): boolean {
    for (let part = this.firstPart(fragment); part < this.partsEnd(fragment); part++)
      if (this.headers[part].track === track) return true
    return false
  }

  /** The fragment that a part is of. */
  fragmentOf(part: number): number {
    return this.#fragment[part]
  }

  firstRun(part: number): number {
    return part === 0 ? 0 : this.#runsEnd[part - 1]
  }

  /** Behind the last run of a part. */
  runsEnd(part: number): number {
    return this.#runsEnd[part]
  }

  /** Whether the entries of a run tell this of each sample; otherwise defaults do. */
  tells(run: number, field: RunField): boolean {
    return (this.#fields[run] & field) !== 0
  }

  /** Whether the entries of any run of a part do. */
  anyTells(part: number, field: RunField): boolean {
    for (let run = this.firstRun(part); run < this.runsEnd(part); run++)
      if (this.tells(run, field)) return true
    return false
  }

  /** What the entries of a run tell of a sample, as an unsigned number. */
  value(run: number, field: RunField, sample: number): number {
    return this.#words[this.#place(run, field, sample)]
  }

  setValue(run: number, field: RunField, sample: number, value: number): void {
    this.#words[this.#place(run, field, sample)] = value
  }

  /** What a run tells of each of its samples. */
  values(run: number, field: RunField): Uint32Array {
    return Uint32Array.from({ length: this.count[run] }, (_, sample) => this.value(run, field, sample))
  }

  /** Samples of a part. */
  samplesOf(part: number): number {
    let samples = 0
    for (let run = this.firstRun(part); run < this.runsEnd(part); run++) samples += this.count[run]
    return samples
  }

  /** Ticks that a part lasts, `each` where it does not tell of a sample. */
  ticksOf(part: number, each: number): number {
    let ticks = 0
    for (let run = this.firstRun(part); run < this.runsEnd(part); run++)
      ticks += this.#sum(run, RUN_DURATION, each)
    return ticks
  }

  /** Bytes of a run's samples, `each` where it does not tell of a sample. */
  bytesOf(run: number, each: number): number {
    return this.#sum(run, RUN_SIZE, each)
  }

  #sum(run: number, field: RunField, each: number): number {
    const count = this.count[run]
    if (!this.tells(run, field)) return count * each
    let sum = 0
    for (let sample = 0; sample < count; sample++) sum += this.value(run, field, sample)
    return sum
  }

  #place(run: number, field: RunField, sample: number): number {
    const fields = this.#fields[run]
    // those of lower flags stand before it
    return this.#entries[run] + sample * entryWords(fields) + entryWords(fields & (field - 1))
  }

  /**
   * What the data offsets of a part's runs count from, ISO/IEC 14496-12:2022 §8.8.7; undefined where it is the end of what
   * another track has in the fragment.
   */
  baseOf(part: number): number | undefined {
    const { baseOffset, baseIsFragment } = this.headers[part]
    if (baseOffset !== undefined) return baseOffset
    const fragment = this.#fragment[part]
    return baseIsFragment || this.firstPart(fragment) === part ? this.boxes[fragment].offset : undefined
  }
}
