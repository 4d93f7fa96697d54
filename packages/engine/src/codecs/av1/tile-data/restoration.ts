import { type IntraFrame, SELF_GUIDED, SWITCHABLE, UNRESTORED, WIENER } from '../headers/intra-frame.ts'
import { RESTORATION, USE_SELF_GUIDED, USE_WIENER } from '../symbols/mode-symbols.ts'
import type { SymbolDecoder } from '../symbols/symbol-decoder.ts'

/** Wiener_Taps_Min, _Max, _K and _Mid, AV1 specification (2019-01-08) §5.11.58 and §5.11.2. */
const TAPS = [
  { least: -5, most: 10, k: 1, first: 3 },
  { least: -23, most: 8, k: 2, first: -7 },
  { least: -17, most: 46, k: 3, first: 15 },
]
/** Sgrproj_Xqd_Min, _Max and _Mid; SGRPROJ_PRJ_SUBEXP_K, SGRPROJ_PRJ_BITS. */
const WEIGHTS = [
  { least: -96, most: 31, first: -32 },
  { least: -32, most: 95, first: 31 },
]
const WEIGHT_K = 4
const WEIGHT_BITS = 7
/** lr_sgr_set from these on: the first filter is left out, and then the second (Sgr_Params, §7.17.3). */
const WITHOUT_FIRST = 10
const WITHOUT_SECOND = 14
/** SUPERRES_NUM. */
const UNSCALED = 8

/** Reads the restoration units of a tile, §5.11.57. */
export class Restoration {
  readonly #decoder: SymbolDecoder
  readonly #frame: IntraFrame
  /** What the last unit of a plane had: six taps, two weights. */
  #taps: number[][] = []
  #weights: number[][] = []

  constructor(decoder: SymbolDecoder, frame: IntraFrame) {
    this.#decoder = decoder
    this.#frame = frame
  }

  beginTile(): void {
    this.#taps = this.#frame.restorations.map(() => [...TAPS, ...TAPS].map(({ first }) => first))
    this.#weights = this.#frame.restorations.map(() => WEIGHTS.map(({ first }) => first))
  }

  /** read_lr: the units that begin within a superblock of so many units of four samples. */
  read(row: number, column: number, side: number): void {
    const { restorations, unitSides, format, scale, upscaledWidth, height } = this.#frame
    for (const [plane, kind] of restorations.entries()) {
      if (kind === UNRESTORED) continue
      const [x, y] = plane === 0 ? [0, 0] : [format.x, format.y]
      const unit = unitSides[plane]
      const across = unitsIn(unit, (upscaledWidth + x) >> x)
      const down = unitsIn(unit, (height + y) >> y)
      const rowAt = (at: number): number => Math.ceil((at * (4 >> y)) / unit)
      const columnAt = (at: number): number => Math.ceil((at * (4 >> x) * scale) / (unit * UNSCALED))
      const rows = Math.min(down, rowAt(row + side)) - rowAt(row)
      const columns = Math.min(across, columnAt(column + side)) - columnAt(column)
      for (let i = 0; i < rows * columns && rows > 0 && columns > 0; i++) this.#unit(plane, kind)
    }
  }

  #unit(plane: number, kind: number): void {
    const decoder = this.#decoder
    let type = kind
    if (kind === SWITCHABLE) type = decoder.symbol(RESTORATION.at, 3)
    else if (kind === WIENER && decoder.symbol(USE_WIENER.at, 2) === 0) type = UNRESTORED
    else if (kind === SELF_GUIDED && decoder.symbol(USE_SELF_GUIDED.at, 2) === 0) type = UNRESTORED
    if (type === WIENER) this.#wiener(plane)
    else if (type === SELF_GUIDED) this.#selfGuided(plane)
  }

  #wiener(plane: number): void {
    const taps = this.#taps[plane]
    for (let i = 0; i < taps.length; i++) {
      const { least, most, k } = TAPS[i % TAPS.length]
      // chroma has no outermost tap
      if (plane > 0 && i % TAPS.length === 0) continue
      taps[i] = this.#near(taps[i], least, most, k)
    }
  }

  #selfGuided(plane: number): void {
    const weights = this.#weights[plane]
    const set = this.#decoder.bits(4)
    const [first, second] = WEIGHTS
    weights[0] =
      set >= WITHOUT_FIRST && set < WITHOUT_SECOND
        ? 0
        : this.#near(weights[0], first.least, first.most, WEIGHT_K)
    weights[1] =
      set >= WITHOUT_SECOND
        ? Math.min(Math.max((1 << WEIGHT_BITS) - weights[0], second.least), second.most)
        : this.#near(weights[1], second.least, second.most, WEIGHT_K)
  }

  /** decode_signed_subexp_with_ref_bool: a value told by how far it lies from another. */
  #near(reference: number, least: number, most: number, k: number): number {
    const count = most + 1 - least
    const from = reference - least
    const distance = this.#distance(count, k)
    const value =
      2 * from <= count ? recentred(from, distance) : count - 1 - recentred(count - 1 - from, distance)
    return value + least
  }

  #distance(count: number, k: number): number {
    let from = 0
    for (let i = 0; ; i++) {
      const width = i > 0 ? k + i - 1 : k
      if (count <= from + 3 * (1 << width)) return this.#decoder.oneOf(count - from) + from
      if (this.#decoder.bit() === 0) return this.#decoder.bits(width) + from
      from += 1 << width
    }
  }
}

/** inverse_recenter, §5.9.29. */
function recentred(reference: number, distance: number): number {
  if (distance > 2 * reference) return distance
  return distance % 2 === 1 ? reference - ((distance + 1) >> 1) : reference + (distance >> 1)
}

/** count_units_in_frame. */
function unitsIn(unit: number, length: number): number {
  return Math.max(Math.floor((length + (unit >> 1)) / unit), 1)
}
