import { edc, turnedBit } from './edc.ts'

/**
 * Sectors of mode 2 as Video CDs have them, IEC 10149 and the CD-ROM XA specification: films in form 2, files and what fills up
 * in form 1, too. Multi-byte numbers are little-endian.
 */
export const SECTOR_BYTES = 2352
/** Sync pattern, address and mode, and the subheader, which stands there twice. */
export const SECTOR_HEADER_BYTES = 24
/** Bytes that a sector of form 2 holds, and one of form 1, which has a code that corrects errors behind them. */
export const SECTOR_PAYLOAD_BYTES = 2324
export const FORM_1_PAYLOAD_BYTES = 2048
export const SYNC = Uint8Array.of(0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0)
const ADDRESS = 12
const MODE = 15
const MODE_2 = 2
const SUBHEADER = 16
const SUBHEADER_BYTES = 4
const CODE_BYTES = 4
const FRAMES = 75
const SECONDS = 60
/** Bits of the submode: of form 2, of data, which sectors of form 1 hold, and those that mark one sector alone. */
const FORM_2 = 0x20
const DATA = 0x08
const MARKS = 0x91
/** File and channel 1; pictures of form 2 that are played in real time. */
const USUAL_SUBHEADER = Uint8Array.of(1, 1, 0x60 | 0x02, 0x0f)

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

/** The address of a sector by its number. */
function addressOf(number: number): Uint8Array {
  const wrapped = number % (100 * SECONDS * FRAMES)
  const minutes = Math.floor(wrapped / (SECONDS * FRAMES))
  return Uint8Array.of(minutes, Math.floor(wrapped / FRAMES) % SECONDS, wrapped % FRAMES).map(toDecimal)
}

/** Whether one turned bit at most makes a sector's address that of another number. */
export function isNearNumber(bytes: Uint8Array, number: number): boolean {
  let turned = 0
  for (const [i, byte] of addressOf(number).entries())
    for (let left = byte ^ bytes[ADDRESS + i]; left !== 0; left &= left - 1) turned++
  return turned <= 1
}

/** Which form a sector's subheader tells, both copies alike; 0 where they do not. */
export function formOf(bytes: Uint8Array): 0 | 1 | 2 {
  const first = bytes[SUBHEADER + 2]
  const second = bytes[SUBHEADER + SUBHEADER_BYTES + 2]
  if ((first & second & FORM_2) !== 0) return 2
  return ((first | second) & FORM_2) === 0 && (first & second & DATA) !== 0 ? 1 : 0
}

/** Where the code of a sector of that form stands, which covers what is between the address and it. */
function codeAt(form: 1 | 2): number {
  return SECTOR_HEADER_BYTES + (form === 1 ? FORM_1_PAYLOAD_BYTES : SECTOR_PAYLOAD_BYTES)
}

/** By which bits the code of a sector disagrees with its bytes. */
function errorOf(bytes: Uint8Array, form: 1 | 2): number {
  const at = codeAt(form)
  return (readCode(bytes, at) ^ edc(bytes, SUBHEADER, at)) >>> 0
}

function readCode(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true)
}

/** Whether a sector of mode 2 is whole by its code, which form 2 may leave out. */
export function isIntact(bytes: Uint8Array): boolean {
  const form = formOf(bytes)
  if (form === 0 || bytes[MODE] !== MODE_2) return false
  return errorOf(bytes, form) === 0 || (form === 2 && readCode(bytes, codeAt(form)) === 0)
}

/**
 * A sector with its sync pattern, its number and its mode, one copy of the subheader for both where they differ, and a turned bit
 * turned back: undefined where its code does not agree with that either.
 */
export function provenSector(bytes: Uint8Array, number: number): Uint8Array | undefined {
  const whole = headed(bytes, number)
  const copies = [0, SUBHEADER_BYTES].map((at) =>
    bytes.slice(SUBHEADER + at, SUBHEADER + at + SUBHEADER_BYTES),
  )
  for (const copy of copies) {
    whole.set(copy, SUBHEADER)
    whole.set(copy, SUBHEADER + SUBHEADER_BYTES)
    const form = formOf(whole)
    if (form !== 0 && errorOf(whole, form) === 0) return whole
  }
  for (const copy of copies) {
    whole.set(copy, SUBHEADER)
    whole.set(copy, SUBHEADER + SUBHEADER_BYTES)
    const form = formOf(whole)
    if (form === 0) continue
    const bit = turnedBit(errorOf(whole, form), codeAt(form) + CODE_BYTES - SUBHEADER)
    if (bit < SUBHEADER_BYTES * 2 * 8) continue
    whole[SUBHEADER + (bit >> 3)] ^= 1 << (bit & 7)
    return whole
  }
  return undefined
}

/** A sector around a payload: `subheader` are four bytes, the usual ones when absent. */
export function writeSector(
  number: number,
  payload: Uint8Array,
  subheader: Uint8Array = USUAL_SUBHEADER,
): Uint8Array {
  const bytes = headed(new Uint8Array(SECTOR_BYTES), number)
  bytes.set(subheader, SUBHEADER)
  bytes.set(subheader, SUBHEADER + SUBHEADER_BYTES)
  bytes.set(payload.subarray(0, SECTOR_PAYLOAD_BYTES), SECTOR_HEADER_BYTES)
  const at = codeAt(2)
  new DataView(bytes.buffer).setUint32(at, edc(bytes, SUBHEADER, at), true)
  return bytes
}

function headed(from: Uint8Array, number: number): Uint8Array {
  const bytes = from.slice()
  bytes.set(SYNC)
  bytes.set(addressOf(number), ADDRESS)
  bytes[MODE] = MODE_2
  return bytes
}

/** The subheader of a sector of form 2, where its copies agree. */
export function subheaderOf(bytes: Uint8Array): Uint8Array | undefined {
  const [first, second] = [0, SUBHEADER_BYTES].map((at) =>
    bytes.slice(SUBHEADER + at, SUBHEADER + at + SUBHEADER_BYTES),
  )
  return formOf(bytes) === 2 && first.every((byte, i) => byte === second[i]) ? first : undefined
}

/** The same for another sector: without what marks the end of a file or record. */
export function unmarked([file, channel, submode, coding]: Uint8Array): Uint8Array {
  return Uint8Array.of(file, channel, submode & ~MARKS, coding)
}
