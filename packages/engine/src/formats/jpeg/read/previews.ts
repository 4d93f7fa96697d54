import { inverseDct } from '../../../codecs/jpeg/dct.ts'
import { entropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { BLOCK_COEFFICIENTS, type LayoutComponent, McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { ScanDecoder } from '../../../codecs/jpeg/scan-decoder.ts'
import { Allowance } from '../../../model/allowance.ts'
import type { PreviewPlanes } from '../../../photo/preview/preview.ts'
import { isSegment, SOF2, SOI } from '../../../syntax/jpeg-markers/markers.ts'
import { type ReadPicture, readPicture } from './read-picture.ts'

const BLOCK = 8
/** Previews looked at in a file, and samples of the largest that is decoded. */
const MOST_PREVIEWS = 8
/** Segments read in search of them: a photo has some dozens for each. */
const SEGMENTS = 20_000
const SEGMENTS_A_BYTE = 1 / 64
const MOST_PIXELS = 16_000_000
/** Wider previews are taken at an eighth, which is one value a block. */
const WHOLE_WIDTH = 400
const LEAST_WIDTH = 64
/** A preview is believed from this part of its scan on. */
const LEAST_READ = 0.98

/** The first `most` pictures that begin at a start of image between `from` and `to`, in order of the file. */
export function picturesWithin(
  bytes: Uint8Array,
  from: number,
  to: number,
  most = MOST_PREVIEWS,
): ReadPicture[] {
  const pictures: ReadPicture[] = []
  const looks = new Allowance(SEGMENTS + (to - from) * SEGMENTS_A_BYTE)
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < to; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] !== SOI || bytes[at + 2] !== 0xff || !isSegment(bytes[at + 3])) continue
    const picture = readPicture(bytes, at, looks)
    if (!picture) continue
    pictures.push(picture)
    at = Math.max(at, picture.end - 1)
    if (pictures.length === most) break
  }
  return pictures
}

/** The components of a picture at one common size; undefined when it is too large, not coded in a way known here, or broken. */
export function decodePreview(bytes: Uint8Array, picture: ReadPicture): PreviewPlanes | undefined {
  const { frame, quantisation, scans } = picture
  const { width, height, components } = frame
  if (frame.marker > SOF2 || frame.precision !== 8 || width < LEAST_WIDTH || height === 0) return undefined
  if (width * height > MOST_PIXELS || (components.length !== 1 && components.length !== 3)) return undefined
  const layout = new McuLayout(width, height, components)
  const coefficients = new Int16Array(layout.mcuCount * layout.mcuLength)
  for (const [index, scan] of scans.entries()) {
    const decoder = new ScanDecoder(layout, coefficients, scan.header, scan.tables, frame.marker === SOF2)
    if (!decoder.possible) return undefined
    const data = entropyData(bytes, scan.start, scan.end, () => false)
    const { read, total } = decoder.decode(data, scan.interval)
    if (index === 0 && read < total * LEAST_READ) return undefined
  }
  const whole = width <= WHOLE_WIDTH
  const target = {
    width: whole ? width : Math.floor(width / BLOCK),
    height: whole ? height : Math.floor(height / BLOCK),
  }
  const planes: Float32Array[] = []
  for (const component of layout.components) {
    const table = quantisation[component.table]
    if (!table) return undefined
    const own = whole
      ? samplesOf(coefficients, layout, component, table)
      : meansOf(coefficients, layout, component, table)
    planes.push(stretch(own, target.width, target.height))
  }
  return { ...target, planes }
}

interface Plane {
  readonly samples: Float32Array
  readonly stride: number
  /** The part of it that the picture covers. */
  readonly width: number
  readonly height: number
}

function samplesOf(
  coefficients: Int16Array,
  layout: McuLayout,
  component: LayoutComponent,
  table: Uint16Array,
): Plane {
  const { blocksWide, blocksHigh, h, v } = component
  const stride = blocksWide * BLOCK
  const samples = new Float32Array(stride * blocksHigh * BLOCK)
  const block = new Float32Array(BLOCK_COEFFICIENTS)
  for (let row = 0; row < blocksHigh; row++) {
    for (let column = 0; column < blocksWide; column++) {
      inverseDct(coefficients, layout.blockOffset(component, column, row), table, 0, block, 0)
      for (let y = 0; y < BLOCK; y++) {
        samples.set(block.subarray(y * BLOCK, (y + 1) * BLOCK), (row * BLOCK + y) * stride + column * BLOCK)
      }
    }
  }
  const width = (layout.width * h * BLOCK) / layout.mcuPixelsWide
  const height = (layout.height * v * BLOCK) / layout.mcuPixelsHigh
  return { samples, stride, width, height }
}

function meansOf(
  coefficients: Int16Array,
  layout: McuLayout,
  component: LayoutComponent,
  table: Uint16Array,
): Plane {
  const { blocksWide, blocksHigh, h, v } = component
  const samples = new Float32Array(blocksWide * blocksHigh)
  for (let row = 0; row < blocksHigh; row++) {
    for (let column = 0; column < blocksWide; column++) {
      const dc = coefficients[layout.blockOffset(component, column, row)]
      samples[row * blocksWide + column] = (dc * table[0]) / BLOCK
    }
  }
  const width = (layout.width * h) / layout.mcuPixelsWide
  const height = (layout.height * v) / layout.mcuPixelsHigh
  return { samples, stride: blocksWide, width, height }
}

/** The nearest sample of a plane for each of a size. */
function stretch({ samples, stride, width, height }: Plane, toWidth: number, toHeight: number): Float32Array {
  const out = new Float32Array(toWidth * toHeight)
  for (let y = 0; y < toHeight; y++) {
    const row = Math.min(Math.ceil(height) - 1, Math.floor(((y + 0.5) * height) / toHeight))
    for (let x = 0; x < toWidth; x++) {
      const column = Math.min(stride - 1, Math.floor(((x + 0.5) * width) / toWidth))
      out[y * toWidth + x] = samples[row * stride + column]
    }
  }
  return out
}
