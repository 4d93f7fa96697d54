import type { Region } from '../../bytes/regions.ts'
import { FIELD, MAGIC, MODEL_BYTES } from './read.ts'

/** Bytes of a header up to the picture behind it. */
const HEADER_BYTES = 148

/** A header without camera or places, as long as cameras write it. */
export const STANDARD_HEADER = standardHeader()

function standardHeader(): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES)
  bytes.set(latin(`${MAGIC}0201`))
  bytes.set(latin('0100'), FIELD.version)
  return bytes
}

/** A header that names these parts; of one frame. */
export function headerBytes(
  template: Uint8Array,
  model: string | undefined,
  parts: { readonly jpeg: Region; readonly facts: Region; readonly data: Region },
): Uint8Array {
  const bytes = Uint8Array.from(template)
  const view = new DataView(bytes.buffer)
  if (model !== undefined) bytes.set(latin(model).subarray(0, MODEL_BYTES - 1), FIELD.model)
  for (const [name, region] of Object.entries(parts) as [keyof typeof parts, Region][]) {
    view.setUint32(FIELD[name], region.offset)
    view.setUint32(FIELD[name] + 4, region.length)
  }
  // what a sample's second frame would be named by says nothing of this file
  bytes.fill(0, Math.min(bytes.length, FIELD.data + 8))
  return bytes
}

function latin(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}
