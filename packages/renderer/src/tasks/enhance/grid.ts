import type { Plane } from './planes.ts'

/** Smallest block that pictures are compared in, in samples. */
const BLOCK = 16
/** Most blocks of one picture, and of all pictures of a stretch: what is kept of each is a number of four bytes or two. */
const MOST_BLOCKS = 4096
const MOST_CELLS = 4 * 1024 * 1024

/** How a picture is divided into square blocks, larger ones where there are many pictures. */
export class Grid {
  readonly block: number
  readonly columns: number
  readonly rows: number

  constructor(width: number, height: number, pictures: number) {
    const most = Math.max(1, Math.min(MOST_BLOCKS, Math.floor(MOST_CELLS / Math.max(pictures, 1))))
    let block = BLOCK
    while (Math.ceil(width / block) * Math.ceil(height / block) > most) block += BLOCK
    this.block = block
    this.columns = Math.ceil(width / block)
    this.rows = Math.ceil(height / block)
  }

  get blocks(): number {
    return this.columns * this.rows
  }

  /**
   * Mean squares of the differences of two pictures, on the scale of 8 bits, by block with its neighbours: what moves over an
   * edge evens out.
   */
  differences(a: Plane, b: Plane, depth: number): Float32Array {
    const sums = new Float32Array(this.blocks)
    const height = Math.min(a.height, b.height)
    const width = Math.min(a.width, b.width)
    for (let y = 0; y < height; y++) {
      const row = Math.floor(y / this.block) * this.columns
      for (let column = 0; column * this.block < width; column++) {
        const end = Math.min(width, (column + 1) * this.block)
        let sum = 0
        for (let x = column * this.block; x < end; x++) {
          const difference = (a.samples[y * a.stride + x] ?? 0) - (b.samples[y * b.stride + x] ?? 0)
          sum += difference * difference
        }
        sums[row + column] = (sums[row + column] ?? 0) + sum
      }
    }
    const scale = 4 ** (depth - 8)
    for (let at = 0; at < sums.length; at++)
      sums[at] = (sums[at] ?? 0) / this.#samplesIn(at, width, height) / scale
    return this.#evened(sums)
  }

  /**
   * How alike two pictures are in the large, from -1 to 1: the correlation of their blocks' means. Flat pictures are like
   * nothing.
   */
  likeness(a: Plane, b: Plane): number {
    const [first, second] = [this.#means(a), this.#means(b)]
    let [both, one, other] = [0, 0, 0]
    for (let at = 0; at < first.length; at++) {
      const [x, y] = [first[at] ?? 0, second[at] ?? 0]
      both += x * y
      one += x * x
      other += y * y
    }
    return both / Math.sqrt(one * other + 1)
  }

  /** Means of the blocks, less the mean of all. */
  #means(plane: Plane): Float32Array {
    const means = new Float32Array(this.blocks)
    for (let y = 0; y < plane.height; y++) {
      const row = Math.floor(y / this.block) * this.columns
      for (let x = 0; x < plane.width; x++) {
        const at = row + Math.floor(x / this.block)
        means[at] = (means[at] ?? 0) + (plane.samples[y * plane.stride + x] ?? 0)
      }
    }
    let all = 0
    for (let at = 0; at < means.length; at++) {
      means[at] = (means[at] ?? 0) / this.#samplesIn(at, plane.width, plane.height)
      all += (means[at] ?? 0) / means.length
    }
    return means.map((mean) => mean - all)
  }

  #samplesIn(at: number, width: number, height: number): number {
    const x = (at % this.columns) * this.block
    const y = Math.floor(at / this.columns) * this.block
    return Math.max(1, Math.min(this.block, width - x) * Math.min(this.block, height - y))
  }

  #evened(values: Float32Array): Float32Array {
    const { columns, rows } = this
    const out = new Float32Array(values.length)
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        let sum = values[y * columns + x] ?? 0
        let count = 1
        for (let v = Math.max(0, y - 1); v <= Math.min(rows - 1, y + 1); v++) {
          for (let u = Math.max(0, x - 1); u <= Math.min(columns - 1, x + 1); u++) {
            sum += values[v * columns + u] ?? 0
            count++
          }
        }
        out[y * columns + x] = sum / count
      }
    }
    return out
  }
}
