import type { ByteReader } from '../../../../bytes/reader.ts'
import { BitReservoir } from '../../../../codecs/mp3/bit-reservoir.ts'
import { SAMPLE_AFTER_HOLE, SAMPLE_DAMAGED, SampleTable } from '../../../../model/sample-table.ts'
import {
  ROW_BROKEN,
  ROW_DAMAGED,
  ROW_OUTSIDE,
  type TrackAlignment,
} from '../../../../recording/align/row-state.ts'
import type { SampleChecker } from '../../../../recording/align/sample-checker.ts'
import { TrackOutcome } from '../../../../recording/track-outcome.ts'
import type { DamagedFrames } from '../../../format.ts'
import type { HeldIndex } from '../../assess.ts'
import { isUsable } from '../../diagnose.ts'
import type { MovieTrack } from '../../read/movie.ts'
import { mediaEnd } from '../../read/survey.ts'
import type { PlannedTrack } from '../../write/plan.ts'
import { RowStarts } from './row-starts.ts'

/** What a strategy found for one track. */
export interface RecoveredTrack {
  readonly plan: PlannedTrack
  readonly outcome: TrackOutcome
  /** True when times or counts are estimated. */
  readonly estimated: boolean
  /** Nothing tells when its samples were: their rate varied, or the index's times were hit. */
  readonly timesDoubtful?: true
  /** See `TrackReport.placed`. */
  readonly placed?: true
}

/**
 * Keeps every entry of a surviving index whose bytes check out, where its bytes lie now: entries past the end are
 * dropped, shifted ones moved, broken ones mended where a decoder can still use a part. Times stay as indexed, so that
 * what is lost keeps its length.
 */
export function fromSurvivingIndex(
  reader: ByteReader,
  index: HeldIndex,
  damagedFrames: DamagedFrames,
): RecoveredTrack[] {
  const origin = earliestStart(index.tracks)
  const starts = new RowStarts(index)
  const recovered: RecoveredTrack[] = []
  for (const [i, track] of index.tracks.entries()) {
    if (!isUsable(track)) continue
    const keeper = new RowKeeper(
      reader,
      track,
      index.alignment.tracks[i],
      index.checkers[i],
      damagedFrames,
      origin,
      starts,
    )
    const found = keeper.keep()
    if (found.plan.table.length > 0) recovered.push(found)
  }
  return recovered
}

/** Seconds at which the earliest track starts. */
function earliestStart(tracks: readonly MovieTrack[]): number {
  let earliest = Number.POSITIVE_INFINITY
  for (const { samples, description } of tracks) {
    if (samples.length > 0) earliest = Math.min(earliest, samples.dts[0] / description.timescale)
  }
  return Number.isFinite(earliest) ? earliest : 0
}

class RowKeeper {
  readonly #table: SampleTable
  readonly #descriptions: number[] | undefined
  readonly #rows: number[] | undefined
  readonly #outcome: TrackOutcome
  readonly #reader: ByteReader
  readonly #track: MovieTrack
  readonly #alignment: TrackAlignment
  readonly #checker: SampleChecker
  readonly #keepDamaged: boolean
  readonly #starts: RowStarts
  readonly #reservoir: BitReservoir | undefined
  #hole = false

  constructor(
    reader: ByteReader,
    track: MovieTrack,
    alignment: TrackAlignment,
    checker: SampleChecker,
    damagedFrames: DamagedFrames,
    origin: number,
    starts: RowStarts,
  ) {
    this.#reader = reader
    this.#track = track
    this.#alignment = alignment
    this.#checker = checker
    // Players survive a damaged picture; a damaged frame of coded sound stops some of them.
    const harmless =
      track.description.kind !== 'audio' || track.description.codec === 'pcm' || !checker.certain
    this.#keepDamaged = damagedFrames !== 'drop' && harmless
    this.#starts = starts
    this.#reservoir = track.description.codec === 'mp3' ? new BitReservoir() : undefined
    this.#table = new SampleTable(Math.max(1, track.samples.length))
    this.#descriptions = track.descriptions ? [] : undefined
    this.#rows = track.keys ? [] : undefined
    this.#outcome = new TrackOutcome(track.description.timescale, origin * track.description.timescale)
  }

  keep(): RecoveredTrack {
    const { samples } = this.#track
    for (let row = 0; row < samples.length; row++) this.#row(row)
    const plan: PlannedTrack = {
      template: this.#track,
      table: this.#table,
      times: 'index',
      ...(this.#descriptions ? { descriptions: Uint16Array.from(this.#descriptions) } : {}),
      ...(this.#rows ? { rows: Uint32Array.from(this.#rows) } : {}),
    }
    return { plan, outcome: this.#outcome, estimated: false }
  }

  #row(row: number): void {
    const { samples } = this.#track
    const offset = samples.offset[row] + this.#alignment.shift[row]
    const size = samples.size[row]
    switch (this.#alignment.state[row]) {
      case ROW_OUTSIDE:
        this.#outside(row, offset, size)
        return
      case ROW_BROKEN:
        this.#broken(row, offset, size)
        return
      case ROW_DAMAGED:
        if (this.#swallows(offset, size)) this.#broken(row, offset, size)
        else if (this.#keepDamaged) this.#push(row, offset, size, SAMPLE_DAMAGED)
        else this.#drop(row, offset, 'damaged')
        return
      default:
        if (this.#swallows(offset, size)) this.#broken(row, offset, size)
        else this.#push(row, offset, size, 0)
    }
  }

  /** Whether samples that fit begin inside of one whose own bytes do not tell how long it is: its size is wrong. */
  #swallows(offset: number, size: number): boolean {
    if (this.#checker.certain || !this.#starts.areSwallowed(offset, offset + size)) return false
    return this.#checker.measure(offset, offset + size) !== size
  }

  /** PCM that an end of the file cuts keeps the sample frames on its side. */
  #outside(row: number, offset: number, size: number): void {
    const { layout, samples, description } = this.#track
    const sound = description.codec === 'pcm' ? (description.blockAlign ?? 0) : 0
    const unitBytes = layout.rows === 'runs' ? layout.unitBytes : sound
    const skipped = unitBytes > 0 && offset < 0 ? Math.ceil(-offset / unitBytes) * unitBytes : 0
    const present = Math.min(size, this.#reader.size - offset) - skipped
    if (unitBytes > 0 && present >= unitBytes && present < size) {
      const units = Math.floor(present / unitBytes)
      const share = (units * unitBytes) / size
      // writers that store many frames as one sample count them as one
      const count = layout.rows === 'runs' ? units : Math.max(1, Math.round(samples.count[row] * share))
      const duration = Math.round(samples.duration[row] * share)
      const late = Math.round(samples.duration[row] * (skipped / size))
      this.#push(row, offset + skipped, units * unitBytes, 0, { count, duration, late })
      this.#outcome.lost += samples.count[row] - count
      return
    }
    if (offset >= 0 && offset < this.#reader.size && this.#measured(row, offset, size)) return
    const left = this.#leftOfPicture(offset, size)
    if (left > 0) this.#push(row, offset, left, SAMPLE_DAMAGED)
    else this.#drop(row, -1, 'missing')
  }

  /** Bytes of a picture that the end of the media cuts, 0 for none: behind start codes decoders show what there is of it. */
  #leftOfPicture(offset: number, size: number): number {
    const { kind, framing } = this.#track.description
    if (kind !== 'video' || framing !== 'startcode' || !this.#keepDamaged) return 0
    const left = (mediaEnd(this.#reader) ?? this.#reader.size) - offset
    return left > 0 && left < size && this.#checker.fits(offset, left) ? left : 0
  }

  /** The index may have the size wrong, or the unit a part that still decodes. */
  #broken(row: number, offset: number, size: number): void {
    if (this.#measured(row, offset, size)) return
    const next = Math.min(this.#starts.next(offset), this.#reader.size)
    const isKept = this.#keepDamaged && !this.#misleads(offset, next)
    const usable = isKept ? this.#checker.usable(offset, Math.min(size, next - offset)) : 0
    if (usable > 0) this.#push(row, offset, usable, SAMPLE_DAMAGED)
    else this.#drop(row, offset, 'damaged')
  }

  /** True for what would come first and is no unit of its codec: players take from the first one how all others are decoded. */
  #misleads(offset: number, end: number): boolean {
    return this.#table.length === 0 && this.#checker.measure(offset, end) === 0
  }

  /** Keeps a row whose size is wrong but whose unit reaches exactly to where the next sample lies. */
  #measured(row: number, offset: number, size: number): boolean {
    const next = Math.min(this.#starts.next(offset), this.#reader.size)
    const measured = this.#checker.measure(offset, next)
    if (measured === 0 || measured === size || offset + measured !== next) return false
    this.#push(row, offset, measured, 0)
    return true
  }

  #push(
    row: number,
    offset: number,
    size: number,
    flags: number,
    part?: { readonly count: number; readonly duration: number; readonly late: number },
  ): void {
    const { samples } = this.#track
    const whole = { count: samples.count[row], duration: samples.duration[row], late: 0 }
    const { count, duration, late } = part ?? whole
    const marks = samples.flags[row] | flags | (this.#hole ? SAMPLE_AFTER_HOLE : 0)
    const at = this.#table.push(offset, size, count, duration, samples.order[row], marks)
    this.#table.dts[at] = samples.dts[row] + late
    this.#table.cts[at] = samples.cts[row]
    this.#descriptions?.push(this.#track.descriptions?.[row] ?? 1)
    this.#rows?.push(row)
    this.#hole = false
    const damaged = (flags & SAMPLE_DAMAGED) !== 0
    if (damaged) this.#reservoir?.lose()
    const reason = damaged ? 'damaged' : this.#isFed(offset, size) ? '' : 'bytes-lost'
    this.#outcome.add(reason === '' ? 'recovered' : 'damaged', this.#table, at, offset, reason)
  }

  /** Whether the main data is there that a packet of Layer III begins with: it may lie in those in front. */
  #isFed(offset: number, size: number): boolean {
    return !this.#reservoir?.isLow || this.#reservoir.take(this.#reader.bytes(offset, size))
  }

  #drop(row: number, offset: number, reason: string): void {
    this.#hole = true
    this.#reservoir?.lose()
    this.#outcome.add('lost', this.#track.samples, row, offset, reason)
  }
}
