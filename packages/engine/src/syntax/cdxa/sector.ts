import { edc } from './edc.ts'

/**
 * Sectors of mode 2 and form 2 as Video CDs have them, IEC 10149 and the CD-ROM XA specification; multi-byte numbers
 * little-endian.
 */
export const SECTOR_BYTES = 2352
/** Sync pattern, address and mode, and the subheader, which stands there twice. */
export const SECTOR_HEADER_BYTES = 24
export const SECTOR_PAYLOAD_BYTES = 2324
export const SYNC = Uint8Array.of(0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0)
const ADDRESS = 12
const MODE = 15
export const SUBHEADER = 16
const CODE = SECTOR_HEADER_BYTES + SECTOR_PAYLOAD_BYTES
const FRAMES = 75
const SECONDS = 60
/** Submode of a sector of form 2 that holds what is played in real time. */
const FORM_2 = 0x20
const USUAL_SUBHEADER = [1, 1, 0x60 | 0x02, 0x0f]

/** Whether a sync pattern stands at `at`. */
export function isSync(bytes: Uint8Array, at: number): boolean {
  if (at + SYNC.length > bytes.length) return false
  return SYNC.every((byte, i) => bytes[at + i] === byte)
}

/** Number of a sector by its address in minutes, seconds and frames; -1 when that is none. */
export function sectorNumber(bytes: Uint8Array): number {
  const [minutes, seconds, frames] = [0, 1, 2].map((i) => fromDecimal(bytes[ADDRESS + i]))
  if (minutes < 0 || seconds < 0 || seconds >= SECONDS || frames < 0 || frames >= FRAMES) return -1
  return (minutes * SECONDS + seconds) * FRAMES + frames
}

function fromDecimal(byte: number): number {
  return (byte & 15) > 9 || byte >> 4 > 9 ? -1 : (byte >> 4) * 10 + (byte & 15)
}

function toDecimal(value: number): number {
  return (Math.floor(value / 10) << 4) | (value % 10)
}

/** Whether the subheader says form 2; both copies of it must. */
export function isForm2(bytes: Uint8Array): boolean {
  return (bytes[SUBHEADER + 2] & bytes[SUBHEADER + 6] & FORM_2) !== 0
}

/** Whether the code of a sector of form 2 agrees with its bytes, or was never computed. */
export function isIntact(bytes: Uint8Array): boolean {
  const code = new DataView(bytes.buffer, bytes.byteOffset).getUint32(CODE, true)
  return code === 0 || code === edc(bytes, SUBHEADER, CODE)
}

/** A sector around a payload: `subheader` are four bytes, the usual ones when absent. */
export function writeSector(number: number, payload: Uint8Array, subheader?: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(SECTOR_BYTES)
  bytes.set(SYNC)
  const wrapped = number % (100 * SECONDS * FRAMES)
  bytes[ADDRESS] = toDecimal(Math.floor(wrapped / (SECONDS * FRAMES)))
  bytes[ADDRESS + 1] = toDecimal(Math.floor(wrapped / FRAMES) % SECONDS)
  bytes[ADDRESS + 2] = toDecimal(wrapped % FRAMES)
  bytes[MODE] = 2
  const four = subheader ?? USUAL_SUBHEADER
  bytes.set(four, SUBHEADER)
  bytes.set(four, SUBHEADER + 4)
  bytes.set(payload.subarray(0, SECTOR_PAYLOAD_BYTES), SECTOR_HEADER_BYTES)
  new DataView(bytes.buffer).setUint32(CODE, edc(bytes, SUBHEADER, CODE), true)
  return bytes
}
