import type { ByteRange } from '@mendframe/renderer'
import { DamageRecorder, type Damages } from './damage.ts'

const SEGMENT = 0x18538067
const SEEK_HEAD = 0x114d9b74
const CUES = 0x1c53bb6b
/** Bytes of an FLV tag's header, Annex E.4.1; its file header is 9, the size of no tag 4. */
const TAG_HEADER = 11
const FIRST_TAG = 13
const SCRIPT = 18
/** First bytes of the name of a simple index, ASF Specification 01.20.05 §10.3. */
const SIMPLE_INDEX = Buffer.from('90080033b1e5cf1189f400a0c90349cb', 'hex')

/** Elements of Matroska directly in its segment that say where to seek. */
function matroskaIndex(bytes: Buffer): ByteRange[] {
  const found: ByteRange[] = []
  for (let at = 0; at + 12 < bytes.length; ) {
    const id = elementNumber(bytes, at, true)
    const size = elementNumber(bytes, at + id.length, false)
    const body = at + id.length + size.length
    if (id.value === SEGMENT) {
      at = body
      continue
    }
    // an unknown size
    if (size.value >= 2 ** (7 * size.length) - 1) break
    if (id.value === SEEK_HEAD || id.value === CUES) found.push({ start: at, end: body + size.value })
    at = body + size.value
  }
  return found
}

/** A number of variable length, RFC 8794 §4; of an ID its marker is a part. */
function elementNumber(bytes: Buffer, at: number, marked: boolean): { value: number; length: number } {
  const first = bytes[at] ?? 0
  const length = Math.min(8, Math.clz32(first) - 23)
  let value = marked ? first : first & (0xff >> length)
  for (let i = 1; i < length; i++) value = value * 256 + (bytes[at + i] ?? 0)
  return { value, length }
}

/** What the first tag of FLV tells of the whole. */
function flashIndex(bytes: Buffer): ByteRange[] {
  if (bytes[FIRST_TAG] !== SCRIPT) return []
  const start = FIRST_TAG + TAG_HEADER
  return [{ start, end: start + bytes.readUIntBE(FIRST_TAG + 1, 3) }]
}

function windowsIndex(bytes: Buffer): ByteRange[] {
  const start = bytes.lastIndexOf(SIMPLE_INDEX)
  return start < 0 ? [] : [{ start, end: bytes.length }]
}

/** Where players are told to seek, in containers whose packets stand for themselves; by the first bytes of a file. */
const INDEXES: Readonly<Record<string, (bytes: Buffer) => ByteRange[]>> = {
  '1a45dfa3': matroskaIndex,
  '464c5601': flashIndex,
  '3026b275': windowsIndex,
}

function seekIndex(bytes: Buffer): ByteRange[] {
  return INDEXES[bytes.toString('hex', 0, 4)]?.(bytes) ?? []
}

/** Damages of indexes that only seeks need. */
export const SEEK_DAMAGES: Damages = {
  'seek-index-zero': {
    about: 'what tells players where to seek zeroed',
    applies: (_container, bytes) => seekIndex(bytes).length > 0,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      for (const { start, end } of seekIndex(bytes)) recorder.zero(start, end)
      return recorder.finish()
    },
  },
}
