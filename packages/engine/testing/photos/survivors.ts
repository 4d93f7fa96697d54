import { entropyData } from '../../src/codecs/jpeg/entropy-data.ts'
import { McuLayout } from '../../src/codecs/jpeg/mcu-layout.ts'
import { McuReader } from '../../src/codecs/jpeg/mcu-reader.ts'
import { ScanDecoder } from '../../src/codecs/jpeg/scan-decoder.ts'
import { type ReadScan, readPicture } from '../../src/formats/jpeg/read/read-picture.ts'
import { isRestart, SOF1, SOF2 } from '../../src/syntax/jpeg-markers/markers.ts'

/** Bytes of a file, from one offset up to another. */
export type ByteRange = readonly [number, number]

const BYTE = 8

/** Which MCUs of a healthy photo have no byte among those that were hit, in none of its scans: 1 for each that survives. */
export function survivingMcus(bytes: Uint8Array, hits: readonly ByteRange[]): Uint8Array {
  const picture = readPicture(bytes, 0)
  if (!picture) return new Uint8Array(0)
  const { frame, scans } = picture
  const layout = new McuLayout(frame.width, frame.height, frame.components)
  const surviving = new Uint8Array(layout.mcuCount).fill(1)
  const [{ header, tables, interval, start, end }] = scans
  if (frame.marker > SOF1 || header.components.length < frame.components.length) {
    const coefficients = new Int16Array(layout.mcuCount * layout.mcuLength)
    for (const scan of scans)
      strikeHit(surviving, bytes, hits, scan, layout, coefficients, frame.marker === SOF2)
    return surviving
  }
  const blocks = Array.from(layout.componentOf, (component) => {
    const { dc, ac } = header.components[component]
    return { dc: tables.decoding(0, dc), ac: tables.decoding(1, ac) }
  }).filter((entry): entry is { dc: Uint16Array; ac: Uint16Array } => Boolean(entry.dc && entry.ac))
  if (blocks.length < layout.blocksPerMcu) return surviving
  const data = entropyData(bytes, start, end, () => false)
  const offsets = fileOffsets(bytes, start, end, data.length)
  const reader = new McuReader(data.bytes, data.length, blocks, frame.precision)
  const scratch = new Int16Array(layout.mcuLength)
  let at = 0
  for (let mcu = 0; mcu < layout.mcuCount; mcu++) {
    if (interval > 0 && mcu % interval === 0) at = Math.ceil(at / BYTE) * BYTE
    const next = reader.read(at, scratch, 0)
    if (next < 0) break
    const first = offsets[Math.floor(at / BYTE)]
    const last = offsets[Math.floor((next - 1) / BYTE)] + 1
    if (hits.some(([from, to]) => first < to && last > from)) surviving[mcu] = 0
    at = next
  }
  return surviving
}

/** Whether no byte of a healthy photo's first scans of DC is among those that were hit. */
export function dcSurvives(bytes: Uint8Array, hits: readonly ByteRange[]): boolean {
  const scans = readPicture(bytes, 0)?.scans ?? []
  return scans
    .filter(({ header }) => header.first === 0 && header.high === 0)
    .every(({ start, end }) => hits.every(([from, to]) => from >= end || to <= start))
}

/**
 * Takes out MCUs that have a byte of one of several scans among those hit, or of a code that tells of a run of empty blocks they
 * are in.
 */
function strikeHit(
  surviving: Uint8Array,
  bytes: Uint8Array,
  hits: readonly ByteRange[],
  { header, tables, interval, start, end }: ReadScan,
  layout: McuLayout,
  coefficients: Int16Array,
  progressive: boolean,
): void {
  const decoder = new ScanDecoder(layout, coefficients, header, tables, progressive)
  if (!decoder.possible) return
  const data = entropyData(bytes, start, end, () => false)
  const offsets = fileOffsets(bytes, start, end, data.length)
  const alone = header.components.length === 1
  const component = layout.components.find(({ id }) => id === header.components[0].id)
  let hit = false
  decoder.decode(data, interval, (number, from, to) => {
    if (to > from) {
      const first = offsets[Math.floor(from / BYTE)]
      const last = offsets[Math.floor((to - 1) / BYTE)] + 1
      hit = hits.some(([at, until]) => first < until && last > at)
    }
    if (!hit || !component) return
    const { blocksWide, h, v } = component
    const [column, row] = [number % blocksWide, Math.floor(number / blocksWide)]
    surviving[alone ? Math.floor(row / v) * layout.mcuWide + Math.floor(column / h) : number] = 0
  })
}

/** Where each byte of entropy-coded data stood in the file. */
function fileOffsets(bytes: Uint8Array, start: number, end: number, length: number): Float64Array {
  const offsets = new Float64Array(length + 1).fill(end)
  let count = 0
  for (let at = start; at < end && count < length; at++) {
    if (bytes[at] === 0xff && bytes[at + 1] === 0xff) continue
    if (bytes[at] === 0xff && isRestart(bytes[at + 1])) {
      at++
      continue
    }
    offsets[count++] = at
    if (bytes[at] === 0xff) at++
  }
  return offsets
}
