import { adler32 } from './inflate-zlib.ts'

const MOST = 0xffff

/** A zlib stream, RFC 1950, whose blocks are stored as they are, RFC 1951 §3.2.4. */
export function deflateStored(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / MOST))
  const out = new Uint8Array(2 + blocks * 5 + bytes.length + 4)
  const view = new DataView(out.buffer)
  view.setUint16(0, 0x7801)
  let at = 2
  for (let i = 0; i < blocks; i++) {
    const part = bytes.subarray(i * MOST, (i + 1) * MOST)
    out[at] = i === blocks - 1 ? 1 : 0
    view.setUint16(at + 1, part.length, true)
    view.setUint16(at + 3, part.length ^ MOST, true)
    out.set(part, at + 5)
    at += 5 + part.length
  }
  view.setUint32(at, adler32(bytes))
  return out
}
