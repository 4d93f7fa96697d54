import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import type { Monitor } from '../../model/monitor.ts'
import { BLOCK, BlockReader } from './code/block-reader.ts'
import { plainBytes } from './code/plain-bytes.ts'
import { blocksOf, MIDDLE, MOST, ROWS, resynchronise } from './code/resynchronise.ts'
import { type BlockCodes, blockCodes } from './code/trees.ts'
import { CODE_FRONT, type Heap, recordOf, TAG } from './read.ts'

/** How a raw picture is coded, and where its code lies. */
export interface Code {
  readonly codes: BlockCodes
  readonly width: number
  readonly height: number
  readonly from: number
  readonly to: number
}

/** Largest code that is held in memory. */
const MOST_CODE = 256 * 1024 * 1024
/** Bytes behind a fault from which it is tried to read on. */
const SKIPS = [0, 4, 16, 64, 256, 1_024].map((kilobytes) => kilobytes * 1_024)
/** Rows in front of a fault that may be out of step already, in groups. */
const DOUBTED = 2
const PAUSE = 2_048

/**
 * What the records of a heap tell of its raw picture's code; `missing`: by how much their places are further on than in the file.
 */
export function codeOf(
  reader: ByteReader,
  heap: Heap,
  raw: Region,
  lowBits: number,
  missing: number,
): Code | undefined {
  const size = recordOf(heap, TAG.sensor)
  const table = recordOf(heap, TAG.decoder)
  if (!size || size.length < 6 || !table) return undefined
  const [width, height] = [2, 4].map((at) => reader.u16le(size.offset - missing + at))
  const [from, to] = [raw.offset + lowBits + CODE_FRONT, raw.offset + raw.length]
  if (width < BLOCK || height === 0 || to <= from || to - from > MOST_CODE) return undefined
  return { codes: blockCodes(reader.u32le(table.offset - missing)), width, height, from, to }
}

/**
 * Reads a code to its end: every block has to be one, every value one of a sensor, and the last block has to end the bytes.
 * Answers the stretch that was hit, as far as what is behind it can be read on; undefined where nothing was, or where the code is
 * none that is known.
 */
export async function findHit(reader: ByteReader, code: Code, monitor: Monitor): Promise<Region | undefined> {
  const { codes, width, height, from, to } = code
  const bytes = plainBytes(reader, from, to)
  const blocks = new BlockReader(bytes, codes, 0)
  const total = blocksOf(width, height)
  const inGroup = (ROWS * width) >> 6
  const base = [MIDDLE, MIDDLE]
  const groups: number[] = []
  let [carried, place, fault] = [0, 0, -1]
  for (let block = 0; block < total && fault < 0; block++) {
    const at = blocks.position
    if (block % inGroup === 0) groups.push(at)
    if (block % PAUSE === 0) await monitor.pause()
    if (!blocks.read()) {
      fault = at
      break
    }
    carried += blocks.values[0]
    blocks.values[0] = carried
    for (let i = 0; i < BLOCK; i++) {
      if (place++ % width === 0) base.fill(MIDDLE)
      base[i & 1] += blocks.values[i]
      if (base[i & 1] < 0 || base[i & 1] >= MOST) fault = at
    }
  }
  if (fault < 0 && blocks.size - blocks.position < 8 * MOST_LEFT) return undefined
  const first = reader.size === 0 ? 0 : (groups[Math.max(0, groups.length - 1 - DOUBTED)] ?? 0)
  const begin = fault < 0 ? 0 : first >> 3
  for (const skip of SKIPS) {
    const behind = bytes.subarray((Math.max(0, fault) >> 3) + skip)
    if (behind.length === 0) break
    const found = await resynchronise(
      { codes, width, height, front: bytes.subarray(0, begin), behind },
      monitor,
    )
    if (found) return stuffed(reader, from, begin, (Math.max(0, fault) >> 3) + skip)
  }
  // one that goes wrong at once may be of another kind
  return groups.length > DOUBTED + 1 ? { offset: from + begin, length: to - from - begin } : undefined
}

/** Bytes that may be left behind the last block. */
const MOST_LEFT = 4

/** Where bytes lie in the file that were counted without the zeros behind each 0xff. */
function stuffed(reader: ByteReader, from: number, begin: number, end: number): Region {
  let [at, plain, offset] = [from, 0, from]
  for (; plain < end; plain++) {
    if (plain === begin) offset = at
    at += reader.u8(at) === 0xff ? 2 : 1
  }
  return { offset, length: at - offset }
}
