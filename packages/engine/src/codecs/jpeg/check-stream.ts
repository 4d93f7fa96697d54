import { ByteReader } from '../../bytes/reader.ts'
import { MemorySource } from '../../bytes/source.ts'
import { hasZeroRun } from '../../bytes/zeros.ts'
import { type FrameHeader, readFrame } from '../../syntax/jpeg-markers/frame.ts'
import { readHuffman } from '../../syntax/jpeg-markers/huffman.ts'
import { DHT, DNL, DQT, DRI, EOI, isFrame, SOF0, SOF1, SOF3, SOS } from '../../syntax/jpeg-markers/markers.ts'
import { readScanHeader, type ScanHeader } from '../../syntax/jpeg-markers/scan-header.ts'
import { walkSegments } from '../../syntax/jpeg-markers/segments.ts'
import { ZeroRuns } from '../mjpeg/zero-runs.ts'
import { type EntropyData, entropyData, isFilling } from './entropy-data.ts'
import { isUnstuffed, LOSSLESS_WRITINGS, LosslessPass, losslessTables } from './lossless-pass.ts'
import { McuLayout } from './mcu-layout.ts'
import { type BlockTables, McuReader } from './mcu-reader.ts'
import { HuffmanTables } from './tables.ts'

/**
 * What a stream's entropy-coded data say of it. `whole`: they have the MCUs that the frame asks for, and nothing behind.
 * `broken`: they do not, or have zeros that are no blocks; `rows` pixel rows come before the fault, all of them where only the
 * whole shows it. `unknown`: not read here.
 */
export interface StreamCheck {
  readonly state: 'whole' | 'broken' | 'unknown'
  readonly rows: number
}

/** The bits of a frame's marker that tell its coding process. */
const PROCESS = 15
const BYTE = 8
/** Scans of a picture: one for each component at most. */
const MOST_SCANS = 4
const ENDS: readonly number[] = [EOI, SOS, DHT, DQT, DRI, DNL]

const UNKNOWN: StreamCheck = { state: 'unknown', rows: 0 }

/**
 * Holds a JPEG stream against what its headers say, ITU-T T.81 Annexes F and H; `shared` has tables that stand in front of it
 * elsewhere, an abbreviated format for table specifications (§B.5). Sequential and lossless processes with Huffman coding are
 * read, in steps in proportion to the bytes.
 */
export function checkStream(bytes: Uint8Array, shared?: Uint8Array): StreamCheck {
  const check = new Check(bytes)
  if (shared) check.segments(shared, 0)
  let at = 0
  for (let scan = 0; scan < MOST_SCANS; scan++) {
    const found = check.segments(bytes, at)
    const { frame } = check
    if (frame && !READ.includes(frame.marker)) return UNKNOWN
    if (!found) return { state: 'broken', rows: 0 }
    if (!frame || frame.height === 0) return UNKNOWN
    const result = check.scan(found.header, found.end)
    if (result.state !== 'whole' || check.complete) return result
    at = check.at
  }
  return UNKNOWN
}

const READ: readonly number[] = [SOF0, SOF1, SOF3]

class Check {
  frame: FrameHeader | undefined
  /** Where the data of the last scan end. */
  at = 0
  readonly #bytes: Uint8Array
  readonly #tables = new HuffmanTables()
  readonly #scanned = new Set<number>()
  readonly #zeros = new ZeroRuns()
  #interval = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** All components of the frame were read. */
  get complete(): boolean {
    return this.#scanned.size === this.frame?.components.length
  }

  /** Takes what the segments from `from` on define, up to the next scan, whose header and beginning it answers. */
  segments(bytes: Uint8Array, from: number): { header: ScanHeader; end: number } | undefined {
    for (const { marker, body, end } of walkSegments(bytes, from)) {
      if (marker === DHT) {
        this.#tables.define(readHuffman(body) ?? [])
        this.#zeros.tables(body)
      } else if (marker === DRI && body.length === 2) this.#interval = (body[0] << 8) | body[1]
      else if (isFrame(marker)) {
        this.frame ??= readFrame(marker, body)
        this.#zeros.frame(body, marker & PROCESS)
      }
      const header = marker === SOS ? readScanHeader(body) : undefined
      if (header) return { header, end }
    }
    return undefined
  }

  scan(header: ScanHeader, from: number): StreamCheck {
    const { frame } = this
    if (!frame) return UNKNOWN
    if (frame.marker === SOF3 && isUnstuffed(this.#bytes, from)) return UNKNOWN
    const data = entropyData(this.#bytes, from, this.#bytes.length, (marker) => ENDS.includes(marker))
    this.at = data.end
    for (const { id } of header.components) this.#scanned.add(id)
    if (frame.marker === SOF3) return this.#lossless(frame, header, data)
    const layout = new McuLayout(frame.width, frame.height, frame.components)
    const result = this.#sequential(frame, layout, header, data)
    const emptied = hasZeroRun(
      new ByteReader(new MemorySource(this.#bytes)),
      from,
      data.end,
      this.#zeros.longest,
    )
    return emptied && result.state === 'whole' ? { ...result, state: 'broken' } : result
  }

  #sequential(frame: FrameHeader, layout: McuLayout, header: ScanHeader, data: EntropyData): StreamCheck {
    const blocks: BlockTables[] = []
    const parts = header.components.map(({ id }) =>
      layout.components.find((component) => component.id === id),
    )
    for (const [i, part] of parts.entries()) {
      const dc = this.#tables.decoding(0, header.components[i].dc)
      const ac = this.#tables.decoding(1, header.components[i].ac)
      if (!part || !dc || !ac) return UNKNOWN
      const count = parts.length === 1 ? 1 : part.h * part.v
      for (let block = 0; block < count; block++) blocks.push({ dc, ac })
    }
    const [first] = parts
    if (!first) return UNKNOWN
    const [wide, high] =
      parts.length === 1 ? [first.blocksWide, first.blocksHigh] : [layout.mcuWide, layout.mcuHigh]
    const reader = new McuReader(data.bytes, data.length, blocks, frame.precision)
    const differences = new Int16Array(blocks.length)
    const read = countMcus(data, this.#interval, wide * high, (at, end) => {
      reader.end = end
      return reader.pass(at, differences)
    })
    return resultOf(read, wide, high, frame.height)
  }

  #lossless(frame: FrameHeader, header: ScanHeader, data: EntropyData): StreamCheck {
    const parts = header.components.map(({ id, dc }) => {
      const component = frame.components.find((each) => each.id === id)
      return { component, dc }
    })
    const alone = parts.length === 1
    const across = alone ? 1 : Math.max(...frame.components.map(({ h }) => h))
    const down = alone ? 1 : Math.max(...frame.components.map(({ v }) => v))
    const tables = losslessTables(
      this.#tables,
      parts.map(({ component, dc }) => ({
        samples: alone ? 1 : (component?.h ?? 1) * (component?.v ?? 1),
        dc,
      })),
    )
    if (!tables || parts.some(({ component }) => !component)) return UNKNOWN
    if (alone && frame.components.length > 1) return UNKNOWN
    const wide = Math.ceil(frame.width / across)
    const high = Math.ceil(frame.height / down)
    let best: Counted | undefined
    for (const writing of LOSSLESS_WRITINGS) {
      const pass = new LosslessPass(data.bytes, tables, writing)
      const read = countMcus(data, this.#interval, wide * high, (at, end) => pass.pass(at, end))
      if (read.whole) return resultOf(read, wide, high, frame.height)
      best ??= read
    }
    return best ? resultOf(best, wide, high, frame.height) : UNKNOWN
  }
}

interface Counted {
  /** MCUs in front of the first fault. */
  readonly read: number
  readonly whole: boolean
}

/**
 * Reads MCUs from restart marker to restart marker, as many as there must be. `pass` answers the bit behind the MCU at a bit,
 * or -1.
 */
function countMcus(
  { bytes, length, restarts, foreign }: EntropyData,
  interval: number,
  total: number,
  pass: (at: number, end: number) => number,
): Counted {
  const parts = interval > 0 ? Math.ceil(total / interval) : 1
  let read = 0
  let at = 0
  for (let part = 0; part < parts; part++) {
    const last = part === parts - 1
    const end = last ? length : restarts.at(part)
    if (!last && (part >= restarts.count || (restarts.code(part) & 7) !== (part & 7)))
      return { read, whole: false }
    const stop = interval > 0 ? Math.min(total, read + interval) : total
    for (at *= BYTE; read < stop; read++) {
      const next = pass(at, end * BYTE)
      if (next < 0) return { read, whole: false }
      at = next
    }
    if (!isFilling(bytes, at, end)) return { read, whole: false }
    at = end
  }
  // Adobe's encoder has a restart marker behind the last interval, too
  const more = restarts.count - (parts - 1)
  const markers = more === 0 || (more === 1 && interval > 0 && restarts.at(parts - 1) === length)
  return { read, whole: markers && foreign.count === 0 }
}

function resultOf({ read, whole }: Counted, wide: number, high: number, height: number): StreamCheck {
  if (whole) return { state: 'whole', rows: height }
  return { state: 'broken', rows: Math.floor((Math.floor(read / wide) * height) / high) }
}
