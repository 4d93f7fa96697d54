import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { Splice } from '../../bytes/splice.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { MendedRaw } from '../../photo/raw/raw-outcome.ts'
import { rawReport } from '../../photo/raw/raw-report.ts'
import { codeOf } from './check-code.ts'
import { BlockWriter } from './code/block-writer.ts'
import { plainBytes } from './code/plain-bytes.ts'
import { blocksOf, type Resynchronised, resynchronise } from './code/resynchronise.ts'
import { CODE_FRONT, type Heap, headerBytes, type Sensor, TAG } from './read.ts'

/**
 * A raw picture with a hole, and the directories that tell of it; offsets are of the damaged file, those cut away in front
 * negative.
 */
export interface HitRaw {
  readonly heap: Heap
  readonly raw: Region
  readonly sensor: Sensor
  readonly lowBits: number
  /** From the first byte that is gone to behind the last one. */
  readonly hole: Region
  /** What stands in front of the heap; the standard header where it is gone. */
  readonly header: Uint8Array | undefined
  /** Bytes by which records' places in `heap` are further on than in the file. */
  readonly missing: number
}

const RECORD = 10
const IN_RECORD = 0x4000

/**
 * The raw picture with its code read on behind a hole: in place of what is gone stand blocks of one grey, so that decoders come
 * to the others with what they need. Undefined where the code is another, or cannot be read.
 */
export async function readOnBehind(
  reader: ByteReader,
  hit: HitRaw,
  monitor: Monitor,
): Promise<MendedRaw | undefined> {
  const { heap, raw, sensor, lowBits, hole, header, missing } = hit
  const coding = codeOf(reader, heap, raw, lowBits, missing)
  const first = heap.records.find(({ tag }) => (tag & 0x3fff) === TAG.raw)
  if (!coding || !first || raw.offset !== heap.start) return undefined
  const { codes, width, height, from: code, to: end } = coding
  const to = Math.max(code, hole.offset + hole.length)
  const front = plainBytes(reader, Math.max(0, code), Math.max(0, code, hole.offset))
  const behind = plainBytes(reader, to, end)
  const found = await resynchronise({ codes, width, height, front, behind }, monitor)
  if (!found) return undefined
  const writer = new BlockWriter(codes, front.length + behind.length + 64 * 1024)
  writer.copy(front, 0, found.keptBits)
  if (!fill(writer, found)) return undefined
  writer.copy(behind, found.firstBit, found.endBit)
  const fresh = writer.end()
  const splice = new Splice()
  splice.bytes(header ?? headerBytes())
  const there = Math.max(0, raw.offset)
  splice.fill(0, Math.min(lowBits, there - raw.offset))
  splice.copy(there, Math.max(0, raw.offset + lowBits - there))
  splice.fill(0, CODE_FRONT)
  splice.bytes(fresh)
  const length = lowBits + CODE_FRONT + fresh.length
  const directory = heap.start + reader.u32le(heap.end - 4)
  splice.copy(end, directory - end)
  splice.bytes(
    movedDirectory(reader, { offset: directory, length: heap.end - directory }, raw.length, length),
  )
  const total = blocksOf(width, height)
  const picture = rawReport(
    {
      codec: 'CRW',
      ...{ width: sensor.width, height: sensor.height, orientation: sensor.orientation },
      ...{ layout: 'sensor data', offset: hole.offset, length: total },
      gone: [{ from: found.kept, to: found.first }],
    },
    header ? [] : [{ part: 'header', from: 'standard' }],
  )
  return {
    splice,
    picture,
    doubts: doubtsThat({ areasLost: true, colour: true, detailLost: hole.offset < raw.offset + lowBits }),
    strategy: {
      name: 'read-on',
      outcome: `${total - found.first + found.kept} of ${total} blocks, ${found.kept} of them in front of the hole`,
    },
    sampleUsed: [],
  }
}

/** Blocks of one grey up to the first that is read again, the last of which brings the value carried to that. */
function fill(writer: BlockWriter, { kept, first, carried, carry }: Resynchronised): boolean {
  for (let block = kept; block < first; block++) {
    const before = block === kept ? carried : 0
    if (!writer.flat((block === first - 1 ? carry : 0) - before)) return false
  }
  return first > kept || carried === carry
}

/** The directory of the heap with another length of its first value, and the places of all others behind that. */
function movedDirectory(
  reader: ByteReader,
  { offset, length }: Region,
  before: number,
  after: number,
): Uint8Array {
  const bytes = Uint8Array.from(reader.bytes(offset, length))
  const view = new DataView(bytes.buffer)
  const count = Math.min(view.getUint16(0, true), Math.floor((length - 6) / RECORD))
  for (let at = 2; at < 2 + count * RECORD; at += RECORD) {
    if (view.getUint16(at, true) & IN_RECORD) continue
    const place = view.getUint32(at + 6, true)
    if (place === 0) view.setUint32(at + 2, after, true)
    else if (place >= before) view.setUint32(at + 6, place + after - before, true)
  }
  view.setUint32(length - 4, view.getUint32(length - 4, true) + after - before, true)
  return bytes
}
