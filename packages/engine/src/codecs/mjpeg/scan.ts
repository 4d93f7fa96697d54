import type { ByteReader } from '../../bytes/reader.ts'

const WINDOW = 1 << 18

export interface ScanEnd {
  /** Offset of the marker behind the scan, or -1 when none follows. */
  readonly at: number
  /** Markers that cannot stand in a scan were passed. */
  readonly damaged: boolean
}

/** What a byte behind FF means inside entropy-coded data. */
const DATA = 0
const ENDS = 1
const NEW_IMAGE = 2
const WRONG = 3

/**
 * By the byte behind FF: stuffing, restart markers and fill bytes are data; tables, scans and the end end it. ITU-T T.81
 * §B.1.1.5.
 */
const MEANING = new Uint8Array(256).fill(WRONG)
MEANING[0] = DATA
MEANING[0xff] = DATA
for (let marker = 0xd0; marker <= 0xd7; marker++) MEANING[marker] = DATA
for (const marker of [0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xc4, 0xcc, 0xfe]) MEANING[marker] = ENDS
MEANING[0xd8] = NEW_IMAGE

/** Finds the end of entropy-coded data that begin at `from`. Damage inside is passed over up to the next end of image. */
export function scanEnd(reader: ByteReader, from: number, end: number): ScanEnd {
  let damaged = false
  let at = from
  while (at + 1 < end) {
    const left = WINDOW - (at % WINDOW)
    const bytes = reader.bytes(at, Math.min(end - at, left > 1 ? left : left + 1))
    const last = bytes.length - 1
    let i = bytes.indexOf(0xff)
    for (; i >= 0 && i < last; i = bytes.indexOf(0xff, i + 1)) {
      const meaning = MEANING[bytes[i + 1]]
      if (meaning === DATA) continue
      if (meaning === NEW_IMAGE) return { at: -1, damaged: true }
      // behind damage only the end of the image is believed
      if (meaning === ENDS && (!damaged || bytes[i + 1] === 0xd9)) return { at: at + i, damaged }
      damaged = true
    }
    at += last
  }
  return { at: -1, damaged }
}
