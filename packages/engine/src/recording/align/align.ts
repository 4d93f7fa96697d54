import { isZero } from '../../bytes/zeros.ts'
import type { AlignInput } from './align-input.ts'
import { BreakPlaces } from './break-places.ts'
import { type FileOrder, fileOrder } from './file-order.ts'
import { fillsPayload } from './fills-payload.ts'
import { FlippedPlaces } from './flipped-places.ts'
import { withRememberedFits } from './remembered-fits.ts'
import {
  count,
  judge,
  ROW_BROKEN,
  ROW_DAMAGED,
  ROW_FITS,
  ROW_OUTSIDE,
  ROW_UNCHECKED,
  type TrackAlignment,
} from './row-state.ts'
import { ShiftFinder } from './shift-finder.ts'
import { TakenPlaces } from './taken-places.ts'

/** A stretch of the index that is off by a constant. */
export interface ShiftPiece {
  /** Offset in the file from which on the shift holds. */
  readonly from: number
  readonly shift: number
  rows: number
}

export interface Alignment {
  readonly tracks: readonly TrackAlignment[]
  readonly pieces: readonly ShiftPiece[]
  readonly order: FileOrder
  /** Entries whose place or size a flipped bit had changed. */
  readonly flipped: number
  /** Where the rows are found they fill the media data to the last byte: it is the index that is off, not the bytes. */
  readonly explained: boolean
  /**
   * For each table, the most ticks by which its samples around a place where bytes are missing may lie on the other side of it.
   */
  readonly loose: readonly number[]
}

/** Rows checked between two pauses. */
const PAUSE_ROWS = 256

/**
 * Holds every index entry against the bytes, in file order. Where entries stop to fit, finds by how many bytes the rest is
 * shifted, and goes on with that. Reads the file about once.
 */
export async function align(given: AlignInput): Promise<Alignment> {
  const input = { ...given, checkers: given.checkers.map(withRememberedFits) }
  const { reader, tables, checkers, monitor, stage } = input
  const order = await fileOrder(tables, monitor)
  const tracks: TrackAlignment[] = tables.map((table) => ({
    state: new Uint8Array(table.length),
    shift: new Float64Array(table.length),
    fits: 0,
    broken: 0,
    damaged: 0,
    outside: 0,
  }))
  const taken = new TakenPlaces(tables, order)
  const finder = new ShiftFinder(input, order, taken)
  let flips = new FlippedPlaces(input, taken)
  const breakPlaces = new BreakPlaces(input, order, tracks)
  const pieces: ShiftPiece[] = []
  let shift = finder.initial()
  let before = shift
  let flipped = 0
  let proven = false
  if (shift !== 0) pieces.push({ from: 0, shift, rows: 0 })
  for (let i = 0; i < order.length; i++) {
    if (i % PAUSE_ROWS === 0) {
      await monitor.pause()
      monitor.progress(stage, i / order.length)
    }
    const lane = order.table[i]
    const row = order.row[i]
    const checker = checkers[lane]
    const track = tracks[lane]
    const offset = tables[lane].offset[row]
    const size = tables[lane].size[row]
    const inside = offset + shift >= 0 && offset + shift + size <= reader.size
    let breaks = false
    if (checker.leads && checker.bits > 0 && size > 0 && !(inside && checker.fits(offset + shift, size))) {
      let found = finder.known(i, shift)
      if (inside && finder.isWorthSearching(i)) {
        await monitor.pause()
        found = finder.search(i, shift) ?? found
      }
      if (found !== undefined && found !== shift) {
        if (!proven && i > 0) {
          // no row so far lies where the first shift had them: the one that the first that fits has is theirs
          proven = true
          shift = found
          before = found
          for (const each of tracks) forget(each)
          pieces.splice(0, pieces.length, ...(shift === 0 ? [] : [{ from: 0, shift, rows: 0 }]))
          flips = new FlippedPlaces(input, taken)
          flipped = 0
          i = -1
          continue
        }
        before = shift
        shift = found
        breaks = true
        pieces.push({ from: Math.max(0, breakPlaces.settle(i, before, shift)), shift, rows: 0 })
      }
    }
    let used = shift
    let state = judge(input, checker, offset + shift, size)
    if ((state === ROW_BROKEN || state === ROW_OUTSIDE) && before !== shift && checker.bits > 0 && size > 0) {
      // Around a break some rows still lie where the shift before it has them.
      const other = judge(input, checker, offset + before, size)
      if (other === ROW_FITS || other === ROW_DAMAGED) {
        state = other
        used = before
      } else if (breaks && other === ROW_BROKEN) {
        // it holds the break: its head is where it was
        state = other
        used = before
      }
    }
    let delta = 0
    if (state === ROW_BROKEN || state === ROW_OUTSIDE) {
      delta = flips.find(lane, row, i, used) ?? 0
      if (delta !== 0) state = judge(input, checker, offset + used + delta, size)
      used += delta
      if (delta !== 0) flipped++
    }
    flips.note(lane, row, delta)
    proven ||= state === ROW_FITS || state === ROW_DAMAGED
    if (state === ROW_FITS && delta === 0) taken.note(i, used)
    const piece = pieces.at(-1)
    if (piece && used === piece.shift) piece.rows++
    track.shift[row] = used
    track.state[row] = state
    count(track, state, 1)
  }
  const explained = pieces.length > 0 && fillsPayload(input, tracks)
  if (explained) breakPlaces.acquit()
  forgiveUnfit(input, tracks, pieces.length > 0)
  monitor.progress(stage, 1)
  return {
    tracks,
    pieces: pieces.filter((piece) => piece.rows > 0),
    order,
    flipped,
    explained,
    loose: breakPlaces.loose,
  }
}

function forget(track: TrackAlignment): void {
  track.state.fill(ROW_UNCHECKED)
  track.shift.fill(0)
  track.fits = 0
  track.broken = 0
  track.damaged = 0
  track.outside = 0
}

/**
 * A track few of whose rows fit, while nothing else speaks of damage, has a checker that does not suit it, not bytes that
 * are all wrong.
 */
function forgiveUnfit(input: AlignInput, tracks: readonly TrackAlignment[], shifted: boolean): void {
  const othersFit = tracks.some((track) => track.fits > 0)
  const hit = shifted || tracks.some(({ damaged, outside }) => damaged + outside > 0)
  for (const [lane, track] of tracks.entries()) {
    const checker = input.checkers[lane]
    if (track.broken === 0 || checker.bits === 0) continue
    const never = track.fits + track.damaged === 0
    const seldom = track.broken > (track.fits + track.damaged + track.broken) * UNFIT_SHARE
    const few = hit && track.broken < TELLING
    const unsuitable = never
      ? !few && (othersFit || checker.bits < CERTAIN)
      : seldom && !checker.certain && !shifted
    if (!unsuitable) continue
    const table = input.tables[lane]
    for (let row = 0; row < track.state.length; row++) {
      if (track.state[row] !== ROW_BROKEN) continue
      const offset = table.offset[row] + track.shift[row]
      if (isZero(input.reader, offset, offset + table.size[row])) continue
      track.state[row] = ROW_UNCHECKED
      track.broken--
    }
  }
}

/** Share of rows that do not fit from which on a checker that may be wrong is taken to be wrong. */
const UNFIT_SHARE = 0.3

/** Rows none of which fit that tell of the checker where the file is damaged elsewhere: fewer may have been hit themselves. */
const TELLING = 8

/** Bits from which on a checker is never doubted. */
const CERTAIN = 32
