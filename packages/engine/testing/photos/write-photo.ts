import { forwardDct } from '../../src/codecs/jpeg/dct.ts'
import { encodingTable } from '../../src/codecs/jpeg/huffman-table.ts'
import { BLOCK_COEFFICIENTS, McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { writeSequential } from '../../src/codecs/jpeg/sequential-writer.ts'
import { STANDARD_HUFFMAN } from '../../src/codecs/jpeg/standard-tables.ts'
import { scaledTable } from '../../src/photo/frame/estimate-quantisation.ts'
import { type FrameComponent, writeFrame } from '../../src/syntax/jpeg-markers/frame.ts'
import { type HuffmanSpec, writeHuffman } from '../../src/syntax/jpeg-markers/huffman.ts'
import { APP1, DHT, DQT, DRI, EOI, SOF0, SOI, SOS } from '../../src/syntax/jpeg-markers/markers.ts'
import { writeQuantisation } from '../../src/syntax/jpeg-markers/quantisation.ts'
import { writeScanHeader } from '../../src/syntax/jpeg-markers/scan-header.ts'
import { writeSegment } from '../../src/syntax/jpeg-markers/segments.ts'
import type { DrawnPicture } from './draw.ts'

/** How a photo is written. */
export interface PhotoSettings {
  /** Sampling factors of luminance; undefined for one component. */
  readonly sampling: readonly [number, number] | undefined
  /** 1 to 100. */
  readonly quality: number
  /** MCUs between restart markers; 0 for none. */
  readonly interval: number
  /** Quantisation tables of luminance and chrominance, in zigzag order; those of the quality by default. */
  readonly quantisation?: readonly [Uint16Array, Uint16Array]
  /** A JPEG file to be stored as the Exif thumbnail. */
  readonly thumbnail?: Uint8Array
  readonly orientation?: number
  /** Tables of luminance and chrominance, the standard's by default. */
  readonly huffman?: readonly HuffmanSpec[]
}

const BLOCK = 8
const LAST_COEFFICIENT = 63

/** A baseline JPEG file of a drawn picture, with Exif data when a thumbnail or an orientation is asked for. */
export function writePhoto(picture: DrawnPicture, settings: PhotoSettings): Uint8Array {
  const { width, height } = picture
  const components = componentsOf(settings.sampling)
  const layout = new McuLayout(width, height, components)
  const tables = settings.quantisation ?? [scaledTable(0, settings.quality), scaledTable(1, settings.quality)]
  const coefficients = transform(picture, layout, tables)
  const huffman = settings.huffman ?? STANDARD_HUFFMAN
  const [dc0, ac0, dc1, ac1] = huffman.map(encodingTable)
  const source = {
    coefficients,
    offset: 0,
    dc: new Int32Array(components.length),
    select(position: number): void {
      this.offset = position * layout.mcuLength
    },
  }
  const coding = components.map((_, i) => (i === 0 ? { dc: dc0, ac: ac0 } : { dc: dc1, ac: ac1 }))
  const data = writeSequential(source, layout, coding, settings.interval, 8, width * height)
  const used = components.length === 1 ? 1 : 2
  const exif =
    settings.thumbnail || settings.orientation ? [writeSegment(APP1, exifBody(settings, width, height))] : []
  const scanned = components.map(({ id }, i) => ({ id, dc: Math.min(1, i), ac: Math.min(1, i) }))
  return join([
    Uint8Array.of(0xff, SOI),
    ...exif,
    writeSegment(
      DQT,
      writeQuantisation(tables.slice(0, used).map((values, id) => ({ id, width: 1 as const, values }))),
    ),
    writeSegment(SOF0, writeFrame({ marker: SOF0, precision: 8, width, height, components })),
    writeSegment(DHT, writeHuffman(huffman.slice(0, 2 * used))),
    ...(settings.interval > 0 ? [writeSegment(DRI, [settings.interval >> 8, settings.interval & 0xff])] : []),
    writeSegment(
      SOS,
      writeScanHeader({ components: scanned, first: 0, last: LAST_COEFFICIENT, high: 0, low: 0 }),
    ),
    data,
    Uint8Array.of(0xff, EOI),
  ])
}

function componentsOf(sampling: readonly [number, number] | undefined): FrameComponent[] {
  if (!sampling) return [{ id: 1, h: 1, v: 1, table: 0 }]
  const [h, v] = sampling
  return [
    { id: 1, h, v, table: 0 },
    { id: 2, h: 1, v: 1, table: 1 },
    { id: 3, h: 1, v: 1, table: 1 },
  ]
}

/** Coefficients of all blocks, DC absolute. Colours by JFIF 1.02; samples beyond the picture repeat its edge. */
function transform(picture: DrawnPicture, layout: McuLayout, tables: readonly Uint16Array[]): Int16Array {
  const coefficients = new Int16Array(layout.mcuCount * layout.mcuLength)
  const samples = new Float32Array(BLOCK_COEFFICIENTS)
  for (let mcu = 0; mcu < layout.mcuCount; mcu++) {
    const left = (mcu % layout.mcuWide) * layout.mcuPixelsWide
    const top = Math.floor(mcu / layout.mcuWide) * layout.mcuPixelsHigh
    layout.components.forEach(({ h, v, firstBlock, table }, component) => {
      const across = layout.mcuPixelsWide / BLOCK / h
      const down = layout.mcuPixelsHigh / BLOCK / v
      for (let block = 0; block < h * v; block++) {
        const x0 = left + (block % h) * BLOCK * across
        const y0 = top + Math.floor(block / h) * BLOCK * down
        for (let i = 0; i < BLOCK_COEFFICIENTS; i++) {
          samples[i] = meanLevel(
            picture,
            component,
            x0 + (i % BLOCK) * across,
            y0 + (i >> 3) * down,
            across,
            down,
          )
        }
        const at = mcu * layout.mcuLength + (firstBlock + block) * BLOCK_COEFFICIENTS
        forwardDct(samples, 0, tables[table], coefficients, at)
      }
    })
  }
  return coefficients
}

function meanLevel(
  { width, height, pixels }: DrawnPicture,
  component: number,
  x: number,
  y: number,
  across: number,
  down: number,
): number {
  let sum = 0
  for (let j = 0; j < down; j++) {
    for (let i = 0; i < across; i++) {
      const at = 3 * (Math.min(height - 1, y + j) * width + Math.min(width - 1, x + i))
      const [red, green, blue] = pixels.subarray(at, at + 3)
      if (component === 0) sum += 0.299 * red + 0.587 * green + 0.114 * blue - 128
      else if (component === 1) sum += -0.1687 * red - 0.3313 * green + 0.5 * blue
      else sum += 0.5 * red - 0.4187 * green - 0.0813 * blue
    }
  }
  return sum / (across * down)
}

/** Exif data with orientation, size and thumbnail: a TIFF header and three directories, little-endian. */
function exifBody(settings: PhotoSettings, width: number, height: number): Uint8Array {
  const thumbnail = settings.thumbnail ?? new Uint8Array(0)
  const main = 8
  const inner = main + 2 + 2 * 12 + 4
  const second = inner + 2 + 2 * 12 + 4
  const data = second + 2 + 3 * 12 + 4
  const tiff = new Uint8Array(data + thumbnail.length)
  const view = new DataView(tiff.buffer)
  view.setUint16(0, 0x4949)
  view.setUint16(2, 42, true)
  view.setUint32(4, main, true)
  directory(
    view,
    main,
    [
      [0x0112, 3, settings.orientation ?? 1],
      [0x8769, 4, inner],
    ],
    thumbnail.length > 0 ? second : 0,
  )
  directory(
    view,
    inner,
    [
      [0xa002, 4, width],
      [0xa003, 4, height],
    ],
    0,
  )
  directory(
    view,
    second,
    [
      [0x0103, 3, 6],
      [0x0201, 4, data],
      [0x0202, 4, thumbnail.length],
    ],
    0,
  )
  tiff.set(thumbnail, data)
  return join([Uint8Array.of(0x45, 0x78, 0x69, 0x66, 0, 0), tiff])
}

function directory(
  view: DataView,
  at: number,
  entries: readonly (readonly [number, number, number])[],
  next: number,
): void {
  view.setUint16(at, entries.length, true)
  entries.forEach(([tag, type, value], index) => {
    const entry = at + 2 + 12 * index
    view.setUint16(entry, tag, true)
    view.setUint16(entry + 2, type, true)
    view.setUint32(entry + 4, 1, true)
    if (type === 3) view.setUint16(entry + 8, value, true)
    else view.setUint32(entry + 8, value, true)
  })
  view.setUint32(at + 2 + 12 * entries.length, next, true)
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
