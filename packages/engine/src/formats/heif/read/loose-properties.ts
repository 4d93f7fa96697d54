import type { ByteReader } from '../../../bytes/reader.ts'
import { searchPieces } from '../../../bytes/search-pieces.ts'
import { isWholeHvcC, parseHvcC } from '../../../codecs/hevc/hvcc.ts'
import { bodyOf, isCut, readBox } from '../../../syntax/iso-boxes/box.ts'
import { channelsOf } from './av1-record.ts'
import { hevcChannelsOf } from './hevc-record.ts'

/** How pictures of a photo are coded, and how large they are where that is told with it: AV1 tells it in each picture. */
export interface LooseRecord {
  readonly codec: 'av01' | 'hvc1'
  readonly config: Uint8Array
  readonly depth: number
  readonly channels: number
  readonly size: Size | undefined
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** Properties that were found by themselves, whatever they belong to. */
export interface LooseProperties {
  readonly records: readonly LooseRecord[]
  /** Of pictures, tiles, and what those are put together to. */
  readonly sizes: readonly Size[]
  /** The box of the first colour profile, and of the first turn. */
  readonly colours: Uint8Array | undefined
  readonly turn: Uint8Array | undefined
}

/** How many are believed, and bytes of one. */
const MOST = 256
const MOST_BYTES = 16 * 1024
const TYPES = ['hvcC', 'av1C', 'ispe', 'colr', 'irot', 'idat']
/** Those as numbers: a text for each place where one may stand takes ten times as long as all else. */
const CODES: ReadonlySet<number> = new Set(
  TYPES.map((type) => [...type].reduce((code, letter) => (code << 8) | letter.charCodeAt(0), 0)),
)
/** Their first letters. */
const LETTERS: ReadonlySet<number> = new Set(TYPES.map((type) => type.charCodeAt(0)))
/** Bytes of a box's length. */
const LENGTH = 4
const [SIZE_BYTES, TURN_BYTES, SMALL_GRID, LARGE_GRID] = [20, 9, 8, 12]
/** Ways to tell colours, ISO/IEC 14496-12:2022 §12.1.5. */
const COLOURS: ReadonlySet<string> = new Set(['nclx', 'prof', 'rICC'])
/** Bytes of an `av1C` record in front of what it may repeat of the pictures', and its first: AV1-ISOBMFF §2.3. */
const AV1_BYTES = 4
const AV1_FIRST = 0x81

/**
 * Properties of items wherever they lie in a file whose `meta` box cannot be read, found by their types: ISO/IEC 23008-12:2022
 * §6.5. Each must be as long as it says, and hold what its type can.
 */
export function looseProperties(reader: ByteReader): LooseProperties {
  const records: LooseRecord[] = []
  const sizes: Size[] = []
  let [colours, turn]: (Uint8Array | undefined)[] = []
  const add = (size: Size): void => {
    if (size.width > 0 && size.height > 0) sizes.push(size)
  }
  for (const at of placesOf(reader)) {
    if (records.length + sizes.length >= MOST) break
    const box = readBox(reader, at, reader.size)
    if (!box || isCut(box) || box.form !== '32' || box.size > MOST_BYTES) continue
    const body = Uint8Array.from(reader.bytes(bodyOf(box), box.end - bodyOf(box)))
    const view = new DataView(body.buffer)
    if (box.type === 'ispe' && box.size === SIZE_BYTES)
      add({ width: view.getUint32(4), height: view.getUint32(8) })
    else if (box.type === 'idat' && body.length >= SMALL_GRID) {
      const wide = (body[1] & 1) === 1
      if (wide && body.length >= LARGE_GRID) add({ width: view.getUint32(4), height: view.getUint32(8) })
      else if (!wide) add({ width: view.getUint16(4), height: view.getUint16(6) })
    } else if (box.type === 'irot' && box.size === TURN_BYTES && body[0] < 4)
      turn ??= Uint8Array.from(reader.bytes(at, box.size))
    else if (box.type === 'colr' && COLOURS.has(reader.fourcc(bodyOf(box))))
      colours ??= Uint8Array.from(reader.bytes(at, box.size))
    else if (box.type === 'hvcC' || box.type === 'av1C') {
      const record = box.type === 'hvcC' ? hevcRecord(body) : av1Record(body)
      if (record) records.push(record)
    }
  }
  return { records, sizes, colours, turn }
}

/** Where boxes of those types may begin. */
function* placesOf(reader: ByteReader): Generator<number> {
  for (const { at, bytes, length } of searchPieces(reader, LENGTH, reader.size, LENGTH - 1))
    for (let i = 0; i < length; i++)
      if (LETTERS.has(bytes[i]) && CODES.has(codeAt(bytes, i))) yield at + i - LENGTH
}

function codeAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]
}

function hevcRecord(config: Uint8Array): LooseRecord | undefined {
  const sps = isWholeHvcC(config) ? parseHvcC(config)?.sps[0] : undefined
  const size = sps && { width: sps.width, height: sps.height }
  return size && { codec: 'hvc1', config, ...hevcChannelsOf(config), size }
}

function av1Record(config: Uint8Array): LooseRecord | undefined {
  if (config.length < AV1_BYTES || config[0] !== AV1_FIRST) return undefined
  return { codec: 'av01', config, ...channelsOf(config), size: undefined }
}
