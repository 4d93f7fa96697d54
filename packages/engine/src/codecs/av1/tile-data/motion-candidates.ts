import { PRECISION, TRANSLATION } from '../headers/global-motion.ts'
import type { InterFrame } from '../headers/inter-frame.ts'
import { distance } from '../headers/references.ts'
import type { Block } from './block.ts'
import { type MotionField, projected } from './motion-field.ts'
import type { MotionGrid } from './motion-grid.ts'
import { HIGH, WIDE } from './sizes.ts'
import { isInside, type TilePlace } from './tile-place.ts'

/** MAX_REF_MV_STACK_SIZE, REF_CAT_LEVEL and MV_BORDER, AV1 specification (2019-01-08) §3. */
const MOST = 8
const NEAREST = 640
const BORDER = 128
const GLOBAL = 15
const GLOBAL_BOTH = 23
/** Modes with a vector of their own. */
const NEW = [16, 19, 20, 21, 22, 24]
const FAR = 16

/**
 * Vectors that a block may be predicted by, and contexts that follow from them: the motion vector prediction processes, §7.10.
 */
export class MotionCandidates {
  /** Candidates: of both references the row, then the column. */
  readonly stack = new Int32Array(4 * (MOST + 2))
  readonly weights = new Int32Array(MOST + 2)
  count = 0
  newContext = 0
  referenceContext = 0
  zeroContext = 0
  /** Of both references the row, then the column. */
  readonly globals = new Int32Array(4)
  readonly #frame: InterFrame
  readonly #grid: MotionGrid
  readonly #field: MotionField | undefined
  #block: Block
  #place: TilePlace
  #first = 0
  #second = -1
  #both = false
  #found = false
  #news = 0
  readonly #candidate = new Int32Array(4)

  constructor(
    frame: InterFrame,
    grid: MotionGrid,
    field: MotionField | undefined,
    block: Block,
    place: TilePlace,
  ) {
    this.#frame = frame
    this.#grid = grid
    this.#field = field
    this.#block = block
    this.#place = place
  }

  /** find_mv_stack. */
  find(block: Block, place: TilePlace, first: number, second: number): void {
    this.#block = block
    this.#place = place
    this.#first = first
    this.#second = second
    this.#both = second > 0
    const { across, down } = block
    this.count = 0
    this.#news = 0
    this.#setGlobal(0, first)
    if (this.#both) this.#setGlobal(1, second)
    let above = this.#row(-1)
    let left = this.#column(-1)
    if (Math.max(across, down) <= 16 && this.#point(-1, across)) above = true
    const close = Number(above) + Number(left)
    const nearest = this.count
    const news = this.#news
    for (let i = 0; i < nearest; i++) this.weights[i] += NEAREST
    this.zeroContext = 0
    if (this.#field) this.#scanField(this.#field)
    if (this.#point(-1, -1)) above = true
    if (this.#row(-3)) above = true
    if (this.#column(-3)) left = true
    if (down > 1 && this.#row(-5)) above = true
    if (across > 1 && this.#column(-5)) left = true
    const total = Number(above) + Number(left)
    this.#sort(0, nearest)
    this.#sort(nearest, this.count)
    if (this.count < 2) this.#searchFurther()
    this.#clamp()
    const few = Math.min(news, 1)
    if (close === 0) {
      this.newContext = Math.min(total, 1)
      this.referenceContext = total
    } else if (close === 1) {
      this.newContext = 3 - few
      this.referenceContext = 2 + total
    } else {
      this.newContext = 5 - few
      this.referenceContext = 5
    }
  }

  /** The context of drl_mode. */
  drlContext(at: number): number {
    if (at + 1 >= this.count) return 0
    if (this.weights[at] < NEAREST) return 2
    return this.weights[at + 1] < NEAREST ? 1 : 0
  }

  #setGlobal(list: number, reference: number): void {
    const { globals, globalTypes, precise } = this.#frame
    const type = globalTypes[reference]
    const values = globals[reference]
    let row = 0
    let column = 0
    if (type === TRANSLATION) {
      row = values[0] >> (PRECISION - 3)
      column = values[1] >> (PRECISION - 3)
    } else if (type > TRANSLATION) {
      const { row: top, column: left, across, down } = this.#block
      const x = 4 * left + 2 * across - 1
      const y = 4 * top + 2 * down - 1
      const toX = (values[2] - (1 << PRECISION)) * x + values[3] * y + values[0]
      const toY = values[4] * x + (values[5] - (1 << PRECISION)) * y + values[1]
      const shift = precise ? PRECISION - 3 : PRECISION - 2
      row = rounded(toY, shift) * (precise ? 1 : 2)
      column = rounded(toX, shift) * (precise ? 1 : 2)
    }
    this.globals[2 * list] = this.#lowered(row)
    this.globals[2 * list + 1] = this.#lowered(column)
  }

  /** The lower precision process. */
  #lowered(part: number): number {
    const { precise, integer } = this.#frame
    if (precise) return part
    if (integer) {
      const whole = ((Math.abs(part) + 3) >> 3) << 3
      return part > 0 ? whole : -whole
    }
    return part % 2 === 0 ? part : part > 0 ? part - 1 : part + 1
  }

  #row(delta: number): boolean {
    const { row, column, across } = this.#block
    const grid = this.#grid
    const end = Math.min(across, grid.columns - column, 16)
    const further = delta < -1
    const from = column + (further ? 1 - (column & 1) : 0)
    const at = row + delta + (further ? row & 1 : 0)
    this.#found = false
    for (let i = 0; i < end; ) {
      if (!isInside(this.#place, at, from + i)) break
      let length = Math.min(across, 1 << WIDE[grid.size[grid.columns * at + from + i]])
      if (further) length = Math.max(2, length)
      if (across >= 16) length = Math.max(4, length)
      this.#add(at, from + i, 2 * length)
      i += length
    }
    return this.#found
  }

  #column(delta: number): boolean {
    const { row, column, down } = this.#block
    const grid = this.#grid
    const end = Math.min(down, grid.rows - row, 16)
    const further = delta < -1
    const from = row + (further ? 1 - (row & 1) : 0)
    const at = column + delta + (further ? column & 1 : 0)
    this.#found = false
    for (let i = 0; i < end; ) {
      if (!isInside(this.#place, from + i, at)) break
      let length = Math.min(down, 1 << HIGH[grid.size[grid.columns * (from + i) + at]])
      if (further) length = Math.max(2, length)
      if (down >= 16) length = Math.max(4, length)
      this.#add(from + i, at, 2 * length)
      i += length
    }
    return this.#found
  }

  #point(deltaRow: number, deltaColumn: number): boolean {
    const row = this.#block.row + deltaRow
    const column = this.#block.column + deltaColumn
    this.#found = false
    if (isInside(this.#place, row, column) && this.#grid.first[this.#grid.columns * row + column] > -2)
      this.#add(row, column, 4)
    return this.#found
  }

  /** The add reference motion vector process. */
  #add(row: number, column: number, weight: number): void {
    const grid = this.#grid
    const at = grid.columns * row + column
    if (grid.first[at] <= 0) return
    const mode = grid.mode[at]
    const large = WIDE[grid.size[at]] > 0 && HIGH[grid.size[at]] > 0
    const { globalTypes } = this.#frame
    const candidate = this.#candidate
    if (this.#both) {
      if (grid.first[at] !== this.#first || grid.second[at] !== this.#second) return
      for (let list = 0; list < 2; list++) {
        const isGlobal =
          mode === GLOBAL_BOTH && large && globalTypes[list === 0 ? this.#first : this.#second] > TRANSLATION
        for (let i = 2 * list; i < 2 * list + 2; i++)
          candidate[i] = this.#lowered(isGlobal ? this.globals[i] : grid.vectors[i][at])
      }
      this.#found = true
      this.#push(weight)
      if (NEW.includes(mode)) this.#news++
      return
    }
    for (let list = 0; list < 2; list++) {
      if ((list === 0 ? grid.first[at] : grid.second[at]) !== this.#first) continue
      const isGlobal =
        (mode === GLOBAL || mode === GLOBAL_BOTH) && large && globalTypes[this.#first] > TRANSLATION
      for (let i = 0; i < 2; i++)
        candidate[i] = this.#lowered(isGlobal ? this.globals[i] : grid.vectors[2 * list + i][at])
      if (NEW.includes(mode)) this.#news++
      this.#found = true
      this.#push(weight)
    }
  }

  /** Adds to the weight of the candidate, or makes it a further one. */
  #push(weight: number): void {
    const { stack } = this
    const candidate = this.#candidate
    for (let i = 0; i < this.count; i++) {
      if (stack[4 * i] !== candidate[0] || stack[4 * i + 1] !== candidate[1]) continue
      if (this.#both && (stack[4 * i + 2] !== candidate[2] || stack[4 * i + 3] !== candidate[3])) continue
      this.weights[i] += weight
      return
    }
    if (this.count >= MOST) return
    stack.set(candidate, 4 * this.count)
    this.weights[this.count++] = weight
  }

  #scanField(field: MotionField): void {
    const { across, down, row, column } = this.#block
    const stepX = across >= 16 ? 4 : 2
    const stepY = down >= 16 ? 4 : 2
    for (let y = 0; y < Math.min(down, 16); y += stepY)
      for (let x = 0; x < Math.min(across, 16); x += stepX) this.#addFromField(field, y, x)
    if (down < 2 || down >= 16 || across < 2 || across >= 16) return
    for (const [y, x] of [
      [down, -2],
      [down, across],
      [down - 2, across],
    ]) {
      const top = (row & 15) + y
      const left = (column & 15) + x
      if (top >= 0 && top < 16 && left >= 0 && left < 16) this.#addFromField(field, y, x)
    }
  }

  /** The temporal sample process. */
  #addFromField(field: MotionField, y: number, x: number): void {
    const row = (this.#block.row + y) | 1
    const column = (this.#block.column + x) | 1
    if (!isInside(this.#place, row, column)) return
    const atStart = y === 0 && x === 0
    if (atStart) this.zeroContext = 1
    const at = field.wide * (row >> 1) + (column >> 1)
    const frames = field.frames[at]
    if (frames === 0) return
    const { orderHint, orderHints, orderHintBits } = this.#frame
    const candidate = this.#candidate
    let far = false
    for (let i = 0; i < (this.#both ? 4 : 2); i++) {
      const reference = i < 2 ? this.#first : this.#second
      const over = distance(orderHint, orderHints[reference], orderHintBits)
      candidate[i] = this.#lowered(projected(field.vectors[2 * at + (i & 1)], over, frames))
      if (Math.abs(candidate[i] - this.globals[i]) >= FAR) far = true
    }
    if (atStart) this.zeroContext = far ? 1 : 0
    this.#push(2)
  }

  #sort(start: number, stop: number): void {
    for (let end = stop; end > start; ) {
      let next = start
      for (let i = start + 1; i < end; i++) {
        if (this.weights[i - 1] >= this.weights[i]) continue
        const weight = this.weights[i]
        this.weights[i] = this.weights[i - 1]
        this.weights[i - 1] = weight
        for (let k = 4 * i; k < 4 * i + 4; k++) {
          const part = this.stack[k]
          this.stack[k] = this.stack[k - 4]
          this.stack[k - 4] = part
        }
        next = i
      }
      end = next
    }
  }

  /** The extra search process. */
  #searchFurther(): void {
    const { row, column, across, down } = this.#block
    const grid = this.#grid
    const length = Math.min(16, across, down, grid.columns - column, grid.rows - row)
    const same: number[][][] = [[], []]
    const others: number[][][] = [[], []]
    for (const pass of [0, 1]) {
      for (let i = 0; i < length && this.count < 2; ) {
        const atRow = pass === 0 ? row - 1 : row + i
        const atColumn = pass === 0 ? column + i : column - 1
        if (!isInside(this.#place, atRow, atColumn)) break
        const at = grid.columns * atRow + atColumn
        this.#addFurther(at, same, others)
        i += 1 << (pass === 0 ? WIDE : HIGH)[grid.size[at]]
      }
    }
    const { stack, globals } = this
    if (!this.#both) {
      for (let i = this.count; i < 2; i++) stack.set(globals.subarray(0, 2), 4 * i)
      return
    }
    const combined = [0, 1].map((list) => {
      const vectors = [...same[list], ...others[list]].slice(0, Math.max(2, same[list].length))
      while (vectors.length < 2) vectors.push([globals[2 * list], globals[2 * list + 1]])
      return vectors
    })
    const put = (from: number): void => {
      stack.set([...combined[0][from], ...combined[1][from]], 4 * this.count)
      this.weights[this.count++] = 2
    }
    if (this.count === 1) {
      const isSame = [...combined[0][0], ...combined[1][0]].every((part, i) => part === stack[i])
      put(isSame ? 1 : 0)
    } else {
      put(0)
      put(1)
    }
  }

  /** The add extra MV candidate process. */
  #addFurther(at: number, same: number[][][], others: number[][][]): void {
    const grid = this.#grid
    for (let list = 0; list < 2; list++) {
      const reference = list === 0 ? grid.first[at] : grid.second[at]
      if (reference <= 0) continue
      const vector = [grid.vectors[2 * list][at], grid.vectors[2 * list + 1][at]]
      const turned = (to: number): number[] =>
        this.#isAhead(reference) === this.#isAhead(to) ? vector : vector.map((part) => -part)
      if (this.#both) {
        for (const [own, to] of [this.#first, this.#second].entries()) {
          if (reference === to && same[own].length < 2) same[own].push(vector)
          else if (others[own].length < 2) others[own].push(turned(to))
        }
        continue
      }
      const [down, across] = turned(this.#first)
      let i = 0
      while (i < this.count && (this.stack[4 * i] !== down || this.stack[4 * i + 1] !== across)) i++
      if (i < this.count) continue
      this.stack[4 * i] = down
      this.stack[4 * i + 1] = across
      this.weights[i] = 2
      this.count++
    }
  }

  /** RefFrameSignBias. */
  #isAhead(reference: number): boolean {
    const { orderHints, orderHint, orderHintBits } = this.#frame
    return distance(orderHints[reference], orderHint, orderHintBits) > 0
  }

  #clamp(): void {
    const { row, column, across, down } = this.#block
    const { rows, columns } = this.#grid
    const aside = BORDER + 32 * across
    const along = BORDER + 32 * down
    for (let i = 0; i < 4 * this.count; i += 2) {
      const { stack } = this
      stack[i] = Math.min(Math.max(stack[i], -32 * row - along), 32 * (rows - down - row) + along)
      stack[i + 1] = Math.min(
        Math.max(stack[i + 1], -32 * column - aside),
        32 * (columns - across - column) + aside,
      )
    }
  }
}

/** Round2Signed. */
function rounded(value: number, shift: number): number {
  const unit = 2 ** shift
  return value < 0 ? -Math.floor((-value + unit / 2) / unit) : Math.floor((value + unit / 2) / unit)
}
