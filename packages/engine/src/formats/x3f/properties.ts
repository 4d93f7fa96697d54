import type { ByteReader } from '../../bytes/reader.ts'
import type { Section } from './read.ts'

/** Properties that tell when a photo was taken and with which camera. ExifTool's tag documentation, `SigmaRaw Properties`. */
const PERSONAL: ReadonlySet<string> = new Set(['CAMSERIAL', 'TIME', 'SENSORID'])
const FRONT = 24
const PAIR = 8
const MOST_PAIRS = 1_024
const LONGEST = 64

/** A section of a sample; of properties, which are names and values in UTF-16, without the values that tell of its own photo. */
export function withoutPersonal(reader: ByteReader, { sign, offset, length }: Section): Uint8Array {
  const bytes = Uint8Array.from(reader.bytes(offset, length))
  if (sign !== 'SECp' || length < FRONT) return bytes
  const view = new DataView(bytes.buffer)
  const count = Math.min(view.getUint32(8, true), MOST_PAIRS)
  const texts = FRONT + count * PAIR
  const textAt = (start: number): { readonly text: string; readonly end: number } => {
    let end = texts + 2 * start
    let text = ''
    while (end + 2 <= length && text.length < LONGEST) {
      const unit = view.getUint16(end, true)
      if (unit === 0) break
      text += String.fromCharCode(unit)
      end += 2
    }
    return { text, end }
  }
  for (let i = 0; i < count && texts <= length; i++) {
    const at = FRONT + i * PAIR
    const { text } = textAt(view.getUint32(at, true))
    const value = view.getUint32(at + 4, true)
    if (PERSONAL.has(text))
      bytes.fill(0, Math.min(length, texts + 2 * value), Math.min(length, textAt(value).end))
  }
  return bytes
}
