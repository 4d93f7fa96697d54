import type { McuLayout } from '../codecs/jpeg/mcu-layout.ts'
import type { MeanPlanes } from './reference.ts'

/** A small picture that was stored with the photo: levels without level shift of each component, all at the same size, row by row. */
export interface PreviewPlanes {
  readonly width: number
  readonly height: number
  readonly planes: readonly Float32Array[]
}

/** Proportions that differ by less than this are the same: cameras round sizes. */
const SAME_PROPORTION = 0.03
/** Bars beside a preview of other proportions are darker than this, without level shift. */
const DARK = -100

/** A preview laid over the photo: what it shows at any place of it. */
export class Preview {
  readonly #source: PreviewPlanes
  /** The part of the preview that shows the photo. */
  readonly #left: number
  readonly #top: number
  readonly #right: number
  readonly #bottom: number

  private constructor(source: PreviewPlanes, left: number, top: number) {
    this.#source = source
    this.#left = left
    this.#top = top
    this.#right = source.width - left
    this.#bottom = source.height - top
  }

  /** The preview of a photo of `width` by `height`; bars around it are left out. Undefined when its proportions are others. */
  static of(source: PreviewPlanes, width: number, height: number): Preview | undefined {
    const wanted = width / height
    const own = source.width / source.height
    if (Math.abs(own / wanted - 1) < SAME_PROPORTION) return new Preview(source, 0, 0)
    const left = own > wanted ? (source.width - source.height * wanted) / 2 : 0
    const top = own < wanted ? (source.height - source.width / wanted) / 2 : 0
    return darkBars(source, Math.floor(left), Math.floor(top)) ? new Preview(source, left, top) : undefined
  }

  /** Mean level of a component over a part of the photo, given in parts of its width and height. */
  mean(component: number, x0: number, y0: number, x1: number, y1: number): number {
    const { width, height, planes } = this.#source
    const plane = planes[component]
    const left = this.#left + x0 * (this.#right - this.#left)
    const right = this.#left + x1 * (this.#right - this.#left)
    const top = this.#top + y0 * (this.#bottom - this.#top)
    const bottom = this.#top + y1 * (this.#bottom - this.#top)
    // as many points as the preview has there, at least two by two
    const across = Math.max(2, Math.ceil(right - left))
    const down = Math.max(2, Math.ceil(bottom - top))
    let sum = 0
    for (let j = 0; j < down; j++) {
      const y = clamp(top + ((j + 0.5) / down) * (bottom - top) - 0.5, height - 1)
      for (let i = 0; i < across; i++) {
        const x = clamp(left + ((i + 0.5) / across) * (right - left) - 0.5, width - 1)
        sum += bilinear(plane, width, height, x, y)
      }
    }
    return sum / (across * down)
  }

  get components(): number {
    return this.#source.planes.length
  }

  /** Its means over each MCU of the photo. */
  means(layout: McuLayout): MeanPlanes {
    const { mcuWide, mcuHigh, mcuCount, width, height, mcuPixelsWide, mcuPixelsHigh } = layout
    const planes = layout.components.slice(0, this.components).map((_, component) => {
      const plane = new Float32Array(mcuCount)
      for (let row = 0; row < mcuHigh; row++) {
        const y0 = Math.min(1, (row * mcuPixelsHigh) / height)
        const y1 = Math.min(1, ((row + 1) * mcuPixelsHigh) / height)
        for (let column = 0; column < mcuWide; column++) {
          const x0 = Math.min(1, (column * mcuPixelsWide) / width)
          const x1 = Math.min(1, ((column + 1) * mcuPixelsWide) / width)
          plane[row * mcuWide + column] = this.mean(component, x0, y0, x1, y1)
        }
      }
      return plane
    })
    return { planes }
  }
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value))
}

function bilinear(plane: Float32Array, width: number, height: number, x: number, y: number): number {
  const left = Math.floor(x)
  const top = Math.floor(y)
  const right = Math.min(width - 1, left + 1)
  const bottom = Math.min(height - 1, top + 1)
  const fx = x - left
  const fy = y - top
  const upper = plane[top * width + left] * (1 - fx) + plane[top * width + right] * fx
  const lower = plane[bottom * width + left] * (1 - fx) + plane[bottom * width + right] * fx
  return upper * (1 - fy) + lower * fy
}

function darkBars({ width, height, planes }: PreviewPlanes, left: number, top: number): boolean {
  const [luminance] = planes
  let sum = 0
  let count = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // the sample next to the picture may be mixed
      const bar = x < left - 1 || x > width - left || y < top - 1 || y > height - top
      if (!bar) continue
      sum += luminance[y * width + x]
      count++
    }
  }
  return count > 0 && sum / count < DARK
}
