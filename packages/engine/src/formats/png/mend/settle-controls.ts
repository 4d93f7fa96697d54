import { type Chunk, u32 } from '../read/chunk.ts'
import { CONTROL_LENGTH } from '../read/frames.ts'
import type { Header } from '../read/header.ts'
import type { SettledChunk } from './settle-chunk.ts'

/** Where fcTL has the length and the beginning of each side of its frame, PNG (Third Edition) §11.3.6.2. */
const SIDES = [
  { length: 4, from: 12, of: 'width' },
  { length: 8, from: 16, of: 'height' },
] as const

/**
 * Gives controls of frames that reach out of the picture its side in place of theirs: a frame lies within it, PNG (Third Edition)
 * §11.3.6.2, and few bytes may claim any size.
 * @returns the controls that did
 */
export function settleControls(settled: Map<Chunk, SettledChunk>, header: Header): Chunk[] {
  const hit: Chunk[] = []
  for (const [chunk, own] of settled) {
    if (chunk.type !== 'fcTL' || own.data.length !== CONTROL_LENGTH) continue
    const data = withinPicture(own.data, header)
    if (!data) continue
    hit.push(chunk)
    settled.set(chunk, { ...own, fate: own.fate === 'drop' ? 'drop' : 'rewrite', data, cost: 'metadata' })
  }
  return hit
}

/** A control whose frame lies within the picture; undefined where it does as it stands. */
function withinPicture(control: Uint8Array, header: Header): Uint8Array | undefined {
  let mended: Uint8Array | undefined
  for (const { length, from, of } of SIDES) {
    const side = u32(control, length)
    if (side > 0 && u32(control, from) + side <= header[of]) continue
    mended ??= Uint8Array.from(control)
    const view = new DataView(mended.buffer)
    if (side === 0 || side > header[of]) view.setUint32(length, header[of])
    view.setUint32(from, 0)
  }
  return mended
}
