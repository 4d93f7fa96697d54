import { ByteReader } from '../../../../bytes/reader.ts'
import { MemorySource } from '../../../../bytes/source.ts'
import {
  type Box,
  bodyOf,
  boxBytes,
  childOf,
  readBox,
  readChildren,
} from '../../../../syntax/iso-boxes/box.ts'
import { BoxWriter } from '../../../../syntax/iso-boxes/box-writer.ts'

/** Boxes that say who, where and when: true of one recording only. */
const PERSONAL: ReadonlySet<string> = new Set(['udta', 'meta', 'uuid'])
/** Entries of user data and of item lists that name the equipment: maker, model, program, firmware. */
const EQUIPMENT: ReadonlySet<string> = new Set([
  '©mak',
  '©mod',
  '©swr',
  '©too',
  '©enc',
  '©fmt',
  'manu',
  'modl',
  'FIRM',
])
/** The same among the keys of metadata: QuickTime File Format, 'Metadata keys', and what phones add. */
const EQUIPMENT_KEY = /\.(make|model|software|manufacturer|version|camera\.lens_model)$/
/** Largest box of a recording's metadata that is read for its equipment. */
const MAX_BYTES = 1 << 20
const MAX_KEYS = 1024

/** True for a box of a movie or track that tells of one recording only. */
export function isPersonal(box: Uint8Array): boolean {
  return PERSONAL.has(typeOf(box))
}

/**
 * What user data and metadata among `boxes` say of the equipment, as boxes of their own; dates, places and names are left out.
 */
export function equipmentOf(boxes: readonly Uint8Array[]): Uint8Array[] {
  const kept: Uint8Array[] = []
  for (const bytes of boxes) {
    if (!isPersonal(bytes) || bytes.length > MAX_BYTES) continue
    const reader = new ByteReader(new MemorySource(bytes))
    const box = readBox(reader, 0, bytes.length)
    const found = box && reduced(reader, box)
    if (found) kept.push(found)
  }
  return kept
}

function reduced(reader: ByteReader, box: Box): Uint8Array | undefined {
  if (box.type === 'udta') return reducedUserData(reader, box)
  return box.type === 'meta' ? reducedMetadata(reader, box) : undefined
}

function reducedUserData(reader: ByteReader, box: Box): Uint8Array | undefined {
  const kept: Uint8Array[] = []
  for (const child of readChildren(reader, bodyOf(box), box.end).boxes) {
    if (EQUIPMENT.has(child.type)) kept.push(boxBytes(reader, child, MAX_BYTES))
    const metadata = child.type === 'meta' ? reducedMetadata(reader, child) : undefined
    if (metadata) kept.push(metadata)
  }
  return kept.length > 0 ? boxOf('udta', kept) : undefined
}

/** Metadata of ISO (a full box) or QuickTime (a plain one): items that are named by their type or by a key. */
function reducedMetadata(reader: ByteReader, box: Box): Uint8Array | undefined {
  const full = reader.fourcc(bodyOf(box) + 4) !== 'hdlr'
  const start = bodyOf(box) + (full ? 4 : 0)
  const { boxes } = readChildren(reader, start, box.end)
  const handler = childOf(boxes, 'hdlr')
  const list = childOf(boxes, 'ilst')
  if (!handler || !list) return undefined
  const keys = childOf(boxes, 'keys')
  const names = keys ? readKeys(reader, keys) : []
  const wanted = names.filter(({ name }) => EQUIPMENT_KEY.test(name))
  const items = readChildrenOfList(reader, list).flatMap(({ type, number, bytes }) => {
    if (EQUIPMENT.has(type)) return [bytes]
    const at = wanted.findIndex((key) => key.number === number)
    return at < 0 ? [] : [numbered(bytes, at + 1)]
  })
  if (items.length === 0) return undefined
  const parts = [boxBytes(reader, handler, MAX_BYTES)]
  if (wanted.length > 0) parts.push(keysBox(wanted.map(({ bytes }) => bytes)))
  parts.push(boxOf('ilst', items))
  return boxOf('meta', full ? [new Uint8Array(4), ...parts] : parts)
}

interface Key {
  /** Number from 1, as items refer to it. */
  readonly number: number
  readonly name: string
  readonly bytes: Uint8Array
}

function readKeys(reader: ByteReader, box: Box): Key[] {
  const keys: Key[] = []
  let at = bodyOf(box) + 8
  while (at + 8 <= box.end && keys.length < MAX_KEYS) {
    const size = reader.u32(at)
    if (size < 8 || at + size > box.end) break
    const bytes = reader.bytes(at, size).slice()
    keys.push({ number: keys.length + 1, name: String.fromCharCode(...bytes.subarray(8, 264)), bytes })
    at += size
  }
  return keys
}

/** Items of an item list; their type is a code or the number of a key. */
function readChildrenOfList(
  reader: ByteReader,
  list: Box,
): { type: string; number: number; bytes: Uint8Array }[] {
  const items: { type: string; number: number; bytes: Uint8Array }[] = []
  let at = bodyOf(list)
  while (at + 8 <= list.end && items.length < MAX_KEYS) {
    const size = reader.u32(at)
    if (size < 8 || at + size > list.end) break
    const bytes = reader.bytes(at, size).slice()
    items.push({ type: reader.fourcc(at + 4), number: reader.u32(at + 4), bytes })
    at += size
  }
  return items
}

function numbered(item: Uint8Array, number: number): Uint8Array {
  new DataView(item.buffer, item.byteOffset).setUint32(4, number)
  return item
}

function keysBox(entries: readonly Uint8Array[]): Uint8Array {
  const count = new Uint8Array(8)
  new DataView(count.buffer).setUint32(4, entries.length)
  return boxOf('keys', [count, ...entries])
}

function boxOf(type: string, parts: readonly Uint8Array[]): Uint8Array {
  const writer = new BoxWriter()
  writer.box(type, () => {
    for (const part of parts) writer.raw(part)
  })
  return writer.bytes().slice()
}

function typeOf(box: Uint8Array): string {
  return String.fromCharCode(...box.subarray(4, 8))
}
