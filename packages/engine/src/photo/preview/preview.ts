import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { MeanPlanes } from './reference.ts'

/**
 * A small picture that was stored with the photo: levels without level shift of each component, all at the same size, row by row.
 */
export interface PreviewPlanes {
  readonly width: number
  readonly height: number
  readonly planes: readonly Float32Array[]
}

/** Proportions that differ by less than this are the same: cameras round sizes. */
const SAME_PROPORTION = 0.03
/** Some software makes both sides of a preview whole MCUs, of so many samples, and stretches the photo over them. */
const WHOLE_MCUS = 16
/** Bars around a picture are as dark as this, without level shift, and as even. */
const DARK = -115
const EVEN = 10
/** Bars take no more than this part of a preview. */
const MOST_BAR = 0.4
/** Samples beside a bar that show it, too. */
const MIXED = 1

/** The part of a preview that shows the photo, in samples. */
interface Frame {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A preview laid over the photo: what it shows at any place of it. */
export class Preview {
  readonly #source: PreviewPlanes
  readonly #left: number
  readonly #top: number
  readonly #right: number
  readonly #bottom: number
  /** Samples that show nothing but the photo: beside bars they are mixed with those. */
  readonly #inner: Frame

  private constructor(source: PreviewPlanes, { left, top, right, bottom }: Frame, inner: Frame) {
    this.#source = source
    this.#left = left
    this.#top = top
    this.#right = right
    this.#bottom = bottom
    this.#inner = inner
  }

  /** The preview of a photo of `width` by `height`; bars around it are left out. Undefined when its proportions are others. */
  static of(source: PreviewPlanes, width: number, height: number): Preview | undefined {
    const wanted = width / height
    const frames = [{ left: 0, top: 0, right: source.width, bottom: source.height }, withoutBars(source)]
    for (const frame of frames) {
      const own = (frame.right - frame.left) / (frame.bottom - frame.top)
      // a sample more or less beside bars is as near as they show
      const near =
        frame === frames[0] ? SAME_PROPORTION : Math.max(SAME_PROPORTION, 2 / (frame.bottom - frame.top))
      if (Math.abs(own / wanted - 1) < near)
        return frame === frames[0]
          ? new Preview(source, frame, frame)
          : new Preview(source, exactly(source, frame, wanted), unmixed(source, frame))
    }
    return isStretched(source, wanted) ? new Preview(source, frames[0], frames[0]) : undefined
  }

  /** Of a picture turned upright without its preview: the preview turned either way; none when its proportions are others. */
  static turned(source: PreviewPlanes, width: number, height: number): Preview[] {
    return [true, false].flatMap((clockwise) => Preview.of(turn(source, clockwise), width, height) ?? [])
  }

  /** The preview moved over the photo by samples of its own. */
  moved(across: number, down: number): Preview {
    const frame = {
      left: this.#left + across,
      top: this.#top + down,
      right: this.#right + across,
      bottom: this.#bottom + down,
    }
    return new Preview(this.#source, frame, this.#inner)
  }

  /** Mean level of a component over a part of the photo, given in parts of its width and height. */
  mean(component: number, x0: number, y0: number, x1: number, y1: number): number {
    const { width, height, planes } = this.#source
    const plane = planes[component]
    const inner = this.#inner
    const left = this.#left + x0 * (this.#right - this.#left)
    const right = this.#left + x1 * (this.#right - this.#left)
    const top = this.#top + y0 * (this.#bottom - this.#top)
    const bottom = this.#top + y1 * (this.#bottom - this.#top)
    // as many points as the preview has there, at least two by two
    const across = Math.max(2, Math.ceil(right - left))
    const down = Math.max(2, Math.ceil(bottom - top))
    let sum = 0
    for (let j = 0; j < down; j++) {
      const y = clamp(top + ((j + 0.5) / down) * (bottom - top) - 0.5, inner.top, inner.bottom - 1)
      for (let i = 0; i < across; i++) {
        const x = clamp(left + ((i + 0.5) / across) * (right - left) - 0.5, inner.left, inner.right - 1)
        sum += bilinear(plane, width, height, x, y)
      }
    }
    return sum / (across * down)
  }

  /** Its levels of one component alone. */
  only(component: number): Preview {
    const plane = this.#source.planes[component]
    return new Preview(
      { ...this.#source, planes: plane ? [plane] : [] },
      { left: this.#left, top: this.#top, right: this.#right, bottom: this.#bottom },
      this.#inner,
    )
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
    const rowsOfSample = height / (this.#bottom - this.#top) / mcuPixelsHigh
    return { planes, rowsOfSample }
  }
}

/** Whether a preview has a size to which one of such proportions is stretched where its sides are rounded up to whole MCUs. */
function isStretched({ width, height }: PreviewPlanes, wanted: number): boolean {
  if (width % WHOLE_MCUS !== 0 || height % WHOLE_MCUS !== 0) return false
  const roundedUp = (side: number): number => Math.ceil(side / WHOLE_MCUS) * WHOLE_MCUS
  return roundedUp(width / wanted) === height || roundedUp(height * wanted) === width
}

/** The only one of previews: where there are more it is open which is upright. */
export function onlyOf(previews: readonly Preview[]): Preview | undefined {
  return previews.length === 1 ? previews[0] : undefined
}

/** Planes turned by a quarter. */
function turn({ width, height, planes }: PreviewPlanes, clockwise: boolean): PreviewPlanes {
  const turned = planes.map((plane) => {
    const out = new Float32Array(plane.length)
    for (let y = 0; y < width; y++) {
      for (let x = 0; x < height; x++)
        out[y * height + x] = clockwise
          ? plane[(height - 1 - x) * width + y]
          : plane[x * width + width - 1 - y]
    }
    return out
  })
  return { width: height, height: width, planes: turned }
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
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

/** A frame beside bars, which shows to a sample only, with the proportions that the photo has. */
function exactly(source: PreviewPlanes, frame: Frame, wanted: number): Frame {
  const { left, top, right, bottom } = frame
  const [wide, high] = [right - left, bottom - top]
  // bars lie above and below, or on both sides
  if (source.height - high >= source.width - wide) {
    const [from, to] = between(top, bottom, wide / wanted, source.height)
    return { ...frame, top: from, bottom: to }
  }
  const [from, to] = between(left, right, high * wanted, source.width)
  return { ...frame, left: from, right: to }
}

/** A stretch of a length in the middle of another, or at its end where that is the end of all. */
function between(from: number, to: number, length: number, all: number): [number, number] {
  if (from === 0) return [0, length]
  const start = to === all ? all - length : (from + to - length) / 2
  return [start, start + length]
}

/** What is left of a frame beside bars without the samples next to these, which show both. */
function unmixed(source: PreviewPlanes, { left, top, right, bottom }: Frame): Frame {
  return {
    left: left > 0 ? left + MIXED : 0,
    top: top > 0 ? top + MIXED : 0,
    right: right < source.width ? right - MIXED : right,
    bottom: bottom < source.height ? bottom - MIXED : bottom,
  }
}

/** What dark bars on any side leave of a preview. */
function withoutBars(source: PreviewPlanes): Frame {
  const { width, height } = source
  const across = (x: number): boolean => isBar(source, x, 0, 1, height)
  const down = (y: number): boolean => isBar(source, 0, y, width, 1)
  let left = 0
  while (left < MOST_BAR * width && across(left)) left++
  let right = width
  while (right > (1 - MOST_BAR) * width && across(right - 1)) right--
  let top = 0
  while (top < MOST_BAR * height && down(top)) top++
  let bottom = height
  while (bottom > (1 - MOST_BAR) * height && down(bottom - 1)) bottom--
  return { left, top, right, bottom }
}

function isBar(
  { width, planes: [luminance] }: PreviewPlanes,
  x: number,
  y: number,
  wide: number,
  high: number,
): boolean {
  let sum = 0
  let square = 0
  for (let row = y; row < y + high; row++) {
    for (let column = x; column < x + wide; column++) {
      const value = luminance[row * width + column]
      sum += value
      square += value * value
    }
  }
  const mean = sum / (wide * high)
  return mean < DARK && Math.sqrt(Math.max(0, square / (wide * high) - mean * mean)) < EVEN
}
