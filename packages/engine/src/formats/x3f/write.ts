import type { Section } from './read.ts'

const VERSION = 0x0002_0000
const FRONT = 12
const ENTRY = 12

/** A directory of these sections with its own place behind it, to stand at an offset. */
export function directoryBytes(sections: readonly Section[], at: number): Uint8Array {
  const bytes = new Uint8Array(FRONT + ENTRY * sections.length + 4)
  const view = new DataView(bytes.buffer)
  const text = (offset: number, letters: string): void =>
    bytes.set(
      Array.from(letters, (letter) => letter.charCodeAt(0)),
      offset,
    )
  text(0, 'SECd')
  view.setUint32(4, VERSION, true)
  view.setUint32(8, sections.length, true)
  for (const [i, { type, offset, length }] of sections.entries()) {
    view.setUint32(FRONT + ENTRY * i, offset, true)
    view.setUint32(FRONT + ENTRY * i + 4, length, true)
    text(FRONT + ENTRY * i + 8, type)
  }
  view.setUint32(bytes.length - 4, at, true)
  return bytes
}
