import { type EntropyData, isFilling } from '../../codecs/jpeg/entropy-data.ts'
import type { LayoutComponent, McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import { RefinementReader } from '../../codecs/jpeg/progressive-readers.ts'
import { Allowance } from '../../model/allowance.ts'
import type { ScanHeader } from '../../syntax/jpeg-markers/scan-header.ts'
import { type ConstantRun, constantRuns } from '../reading/constant-runs.ts'

const BYTE = 8
/** Equal bytes in a row that are damage: no refinement holds as many. */
const LEAST_ZONE = 256
/** Blocks read in search of where reading can go on. */
const MOST_READ = 10_000_000
const MOST_PIECES = 64

/**
 * Bits behind damage from each of which reading is tried: from a wrong one it falls into step with the codes, but at another
 * block. Where parted runs end what is wrong before it does, all those that noise may take up.
 */
const [STARTS, STARTS_BY_RUNS] = [96, 4_608]
/** Blocks before and behind the one that reading came to, which it may be at. */
const [BLOCKS_BACK, BLOCKS_BEHIND] = [192, 192]
const BLOCKS_BY_RUNS = 64
/** Bytes that may have been put in or left out unseen. */
const SHIFTED_BYTES = 512
/** Blocks of which a search learns nothing behind those that are not known: a run of others may reach over them. */
const BLOCKS_OVER = 48
/** Blocks behind those that may be wrong unseen, at most: what was read of them was moved too early. */
const BLOCKS_WRONG = 256
/** Blocks between two stretches that are not known which may all be wrong, at most. */
const BLOCKS_MISPLACED = 1_024
/** How many times more bits than usual lost blocks may have had, or fewer. */
const AT_MOST = 4
/** Bits of a block at most: a code and a sign for each coefficient. */
const MOST_OF_BLOCK = 63 * (16 + 1)
/**
 * Bits that no reading at a wrong block goes on for: it meets what cannot be within some thousand, or a parted run much sooner.
 */
const [SURE, SURE_BY_RUNS] = [12_000, 5_000]
/**
 * How many times as many bits a way leads for to be hardly wrong, whatever it ends with; blocks read in search of one that leads
 * further then.
 */
const HARDLY_WRONG = 4
const MOST_READ_ON = 1_000_000
/**
 * Bits that correct coefficients in a run of empty blocks for which encoders keep room, those of one may keep more; no run goes
 * on with the others.
 */
const [LONGEST_RUN, FULL_RUN] = [1_000, 900]
/** Runs of more than one empty block that tell that an encoder parts none. */
const LEARNED_RUNS = 24
/** Pairs of a bit and a block of a search at which ways that were gone are known again, and bits of it. */
const WINDOW = 2 ** 26
const [LEAST_WINDOW_BITS, MOST_WINDOW_BITS] = [2 ** 14, 2 ** 17]
/** Bits that are passed over where reading goes on behind what cannot be. */
const PASSED = 16

/** Blocks that are read one behind the other, from a bit on. */
interface Piece {
  readonly bit: number
  readonly block: number
  readonly toBit: number
  readonly toBlock: number
  /** Empty blocks of a run that was begun before, from its first block on, and of one that goes on behind its last. */
  readonly run: number
  readonly toRun: number
  /** What it ends with: the scan, a stretch of equal bytes, a block of which too little is known, or what cannot be read. */
  readonly end: 'scan' | 'zone' | 'unknown' | 'break'
}

/** A scan that refines AC coefficients of one component, and what it is read into. */
export interface Refinement {
  readonly data: EntropyData
  readonly layout: McuLayout
  readonly component: LayoutComponent
  readonly table: Uint16Array
  readonly header: ScanHeader
  readonly coefficients: Int16Array
  /**
   * 1 for each of the component's blocks whose coefficients so far are not known, row by row; those that this scan leaves unread
   * are added.
   */
  readonly unknown: Uint8Array
}

/** Reads a refinement into its coefficients wherever it can be read. Returns whether that is all of it. */
export function mendRefinement(refinement: Refinement): boolean {
  return new RefinementMender(refinement).mend()
}

class RefinementMender {
  readonly #data: EntropyData
  readonly #reader: RefinementReader
  readonly #unknown: Uint8Array
  readonly #total: number
  readonly #end: number
  readonly #zones: readonly ConstantRun[]
  readonly #places: Int32Array
  readonly #allowance: Allowance
  /** Blocks read in searches so far. */
  #searched = 0
  /** Runs of more than one block that were read up to the first parted one. */
  #runs = 0
  /** The encoder parts no runs of empty blocks before they are full: where one is parted, reading is at a wrong place. */
  #partsNone = false
  /** Bits that correct coefficients in its runs, at most, and with which a run went on. */
  #longestRun = LONGEST_RUN
  #room = 0
  /** No scan behind this one needs what it brings. */
  readonly #last: boolean

  constructor({ data, layout, component, table, header, coefficients, unknown }: Refinement) {
    const { blocksWide, blocksHigh } = component
    this.#data = data
    this.#reader = new RefinementReader(data.bytes, data.length, table, header, coefficients)
    this.#unknown = unknown
    this.#total = blocksWide * blocksHigh
    this.#end = data.length * BYTE
    this.#zones = constantRuns(data.bytes, data.length).filter(({ from, to }) => to - from >= LEAST_ZONE)
    this.#places = Int32Array.from({ length: this.#total }, (_, block) =>
      layout.blockOffset(component, block % blocksWide, Math.floor(block / blocksWide)),
    )
    this.#allowance = new Allowance(MOST_READ)
    this.#last = header.low === 0
  }

  mend(): boolean {
    const pieces: Piece[] = []
    let piece = this.#first()
    while (piece && pieces.push(piece) < MOST_PIECES && piece.end !== 'scan') piece = this.#next(piece)
    let known = 0
    let at = 0
    pieces.forEach(({ bit, block, run, toBlock }, index) => {
      this.#unknown.fill(1, known, block)
      known = Math.min(toBlock, pieces[index + 1]?.block ?? this.#total)
      this.#reader.restart(run)
      at = bit
      for (let number = block; number < known; number++)
        at = this.#reader.read(at, this.#places[number], true)
    })
    this.#unknown.fill(1, known)
    if (this.#last) this.#readOn(at, known)
    return pieces.length === 1 && piece?.end === 'scan'
  }

  /** What can be read from the start on. */
  #first(): Piece | undefined {
    const piece = this.#follow(0, 0)
    this.#partsNone = this.#runs >= LEARNED_RUNS
    return this.#partsNone ? this.#follow(0, 0) : piece
  }

  /** Reads on behind what cannot be: what is wrong in the last bit of coefficients is less than what lacks it. */
  #readOn(bit: number, block: number): void {
    const reader = this.#reader
    let at = bit
    for (let number = block; number < this.#total && at < this.#end; number++) {
      const next = reader.read(at, this.#places[number], true)
      at = next < 0 ? at + PASSED : next
      if (next < 0) reader.restart()
    }
  }

  /**
   * Reads from a bit and a block on as far as can be, in a run of so many; undefined where that comes to a way which was `gone`.
   */
  #follow(bit: number, block: number, gone?: GoneWays, run = 0): Piece | undefined {
    const reader = this.#reader
    const zone = this.#zones.find(({ to }) => to * BYTE > bit)
    const limit = Math.min(this.#end, zone ? zone.from * BYTE : this.#end)
    reader.restart(run)
    let learning = !this.#partsNone
    let leastParted = Number.POSITIVE_INFINITY
    let at = bit
    let number = block
    let toRun = run
    const stop = (end: Piece['end']): Piece => ({ bit, block, toBit: at, toBlock: number, run, toRun, end })
    for (; number < this.#total; number++) {
      if (this.#unknown[number] === 1) return stop('unknown')
      if (gone && reader.emptyBehind === 0) {
        if (gone.wasAt(at, number) || !this.#allowance.take()) return undefined
        this.#searched++
      }
      const inside = reader.emptyBehind > 0
      const before = reader.corrections
      const next = reader.read(at, this.#places[number], false)
      if (next < 0) return stop(zone && at + MOST_OF_BLOCK > limit ? 'zone' : 'break')
      if (next > limit) return stop('zone')
      const parted = reader.parted >= 0 && reader.parted < this.#room
      if (reader.parted >= 0) leastParted = Math.min(leastParted, reader.parted)
      // runs that were parted with less room than others keep are either not full, or these are wrong
      if (parted || (inside && before > leastParted)) learning = false
      if (this.#partsNone && (parted || (reader.inRun && reader.corrections > this.#longestRun)))
        return stop('break')
      if (learning && reader.inRun) this.#longestRun = Math.max(this.#longestRun, reader.corrections)
      if (learning && inside) {
        this.#room = Math.min(FULL_RUN, Math.max(this.#room, before))
        if (reader.emptyBehind === 0) this.#runs++
      }
      at = next
      toRun = reader.emptyBehind
    }
    const ended = reader.emptyBehind === 0 && isFilling(this.#data.bytes, at, this.#data.length)
    return stop(ended ? 'scan' : 'break')
  }

  /** Where reading goes on behind a piece; behind what is not known soon after it where it does not go on in front of that. */
  #next(piece: Piece): Piece | undefined {
    const found = this.#overRun(piece) ?? this.#search(piece)
    if (found) return found
    if (piece.end === 'unknown') return this.#behindNext(piece)
    if (piece.end === 'scan') return undefined
    const toBit = piece.end === 'zone' ? this.#behindZone(piece.toBit) : piece.toBit
    const unknown = this.#unknown.indexOf(1, piece.toBlock)
    if (unknown < 0 || unknown > piece.toBlock + BLOCKS_OVER + this.#mostIn(toBit - piece.toBit))
      return undefined
    return this.#search({ ...piece, toBit, toBlock: unknown, end: 'unknown' })
  }

  /**
   * Where reading goes on behind the next stretch that is not known: what lies before that was perhaps read at wrong places in
   * scans before.
   */
  #behindNext(piece: Piece): Piece | undefined {
    const known = this.#unknown.indexOf(0, piece.toBlock)
    const next = known < 0 ? -1 : this.#unknown.indexOf(1, known)
    return next < 0 || next - known > BLOCKS_MISPLACED ? undefined : this.#search(piece, next)
  }

  /**
   * Where reading goes on in a run of empty blocks that reaches over all that are not known: only how many bits correct those is
   * open.
   */
  #overRun({ toBit, toBlock, toRun, end }: Piece): Piece | undefined {
    let first = toBlock
    while (first < this.#total && this.#unknown[first] === 1) first++
    const run = toRun - (first - toBlock)
    if (end !== 'unknown' || run <= 0 || first === this.#total) return undefined
    const gone = new GoneWays(toBit, LONGEST_RUN, first)
    for (let bit = toBit; bit < Math.min(toBit + LONGEST_RUN, this.#end); bit++) {
      const piece = this.#follow(bit, first, gone, run)
      if (piece && (piece.end === 'scan' || piece.toBit - bit >= this.#sure)) return piece
    }
    return undefined
  }

  /** The first bit behind the stretch of equal bytes that ends behind one, or that one. */
  #behindZone(bit: number): number {
    const zone = this.#zones.find(({ to }) => to * BYTE > bit)
    return Math.max(bit, zone ? (zone.to - 1) * BYTE : bit)
  }

  /** Blocks that so many bits may be of. */
  #mostIn(bits: number): number {
    return Math.ceil((AT_MOST * bits * this.#total) / this.#end)
  }

  /** Bits that no reading at a wrong block goes on for. */
  get #sure(): number {
    return this.#partsNone ? SURE_BY_RUNS : SURE
  }

  /**
   * Where reading goes on behind a piece: at the first place that leads to the end of the scan or to what else is damaged, or the
   * one that leads furthest.
   */
  #search({ block: start, toBit, toBlock, end }: Piece, behind = toBlock): Piece | undefined {
    const usual = this.#end / this.#total
    const surely = this.#partsNone
    const aside = surely ? BLOCKS_BY_RUNS : BLOCKS_BACK
    let bits = surely ? STARTS_BY_RUNS : STARTS
    let from = toBit
    let first = toBlock - aside
    let last = toBlock + aside
    let furtherBits = bits
    let furthest = last + Math.ceil((2 * SHIFTED_BYTES * BYTE) / usual)
    if (end === 'unknown') {
      from += Math.floor((usual * (behind - toBlock)) / AT_MOST)
      first = behind
      while (first < this.#total && this.#unknown[first] === 1) first++
      last = first + BLOCKS_OVER
      furthest = first + BLOCKS_WRONG
      bits = Math.ceil(AT_MOST * usual * (BLOCKS_OVER + first - toBlock))
      furtherBits = Math.ceil(AT_MOST * usual * (BLOCKS_WRONG + first - toBlock))
    } else if (end === 'zone') {
      from = this.#behindZone(toBit)
      first = toBlock
      last = furthest = toBlock + BLOCKS_BEHIND + this.#mostIn(from - toBit)
    }
    first = Math.max(start, first)
    const sure = this.#sure
    const gone = new GoneWays(from, furtherBits, first)
    let best: Piece | undefined
    let most = Number.POSITIVE_INFINITY
    for (const [to, until] of [
      [last, from + bits],
      [furthest, from + furtherBits],
    ]) {
      for (let bit = from; bit < Math.min(until, this.#end); bit++) {
        for (let block = first; block < Math.min(to, this.#total); block++) {
          if (this.#unknown[block] === 1) continue
          if (this.#searched > most) return best
          const piece = this.#follow(bit, block, gone)
          if (piece?.end === 'scan') return piece
          if (!piece || piece.toBit - bit < sure) continue
          // nothing leads beyond what is known to be damaged
          if (piece.end !== 'break') return piece
          if (piece.toBit - bit >= HARDLY_WRONG * sure) most = Math.min(most, this.#searched + MOST_READ_ON)
          if (!best || piece.toBit > best.toBit) best = piece
        }
      }
    }
    return best
  }
}

/** Bits and blocks at which readings were. */
class GoneWays {
  readonly #bit: number
  readonly #block: number
  readonly #bits: number
  readonly #blocks: number
  readonly #marks = new Uint8Array(WINDOW / BYTE)

  /** From a bit and a block on, so many bits and beyond. */
  constructor(bit: number, bits: number, block: number) {
    this.#bit = bit
    this.#block = block
    this.#bits = Math.min(MOST_WINDOW_BITS, Math.max(LEAST_WINDOW_BITS, 2 ** Math.ceil(Math.log2(2 * bits))))
    this.#blocks = WINDOW / this.#bits
  }

  /** Whether a reading was at a bit and a block, where this one is now. */
  wasAt(bit: number, block: number): boolean {
    const across = block - this.#block
    const down = bit - this.#bit
    if (down >= this.#bits || across >= this.#blocks) return false
    const index = down * this.#blocks + across
    const mark = 1 << (index & 7)
    const was = (this.#marks[index >>> 3] & mark) !== 0
    this.#marks[index >>> 3] |= mark
    return was
  }
}
