import { isRestart } from '../../syntax/jpeg-markers/markers.ts'
import { MarkerColumns } from './marker-columns.ts'

/** Entropy-coded data with its stuffing and markers taken out. */
export interface EntropyData {
  /** The data bytes, and some zeros behind so that a reader need not look where they end. */
  readonly bytes: Uint8Array
  readonly length: number
  readonly restarts: MarkerColumns
  /** Markers that cannot stand in a scan: their bytes are among the data, from where each stood on. */
  readonly foreign: MarkerColumns
  /** Offset in the file of what ended the data: a marker, or the end of the bytes. */
  readonly end: number
}

/** Zero bytes behind the data: more than a block of the longest codes needs. */
const SLACK = 256

/** Bytes of a word, and bits of a byte. */
const [WORD, BYTE] = [4, 8]
const ONES = 0xff

/**
 * Whether bits from `at` on are nothing but what fills up the last byte in front of `end`, a byte, ITU-T T.81 §F.1.2.3, or zeros
 * or ones for less than a word behind, which some encoders write.
 */
export function isFilling(bytes: Uint8Array, at: number, end: number): boolean {
  const from = Math.ceil(at / BYTE)
  if (from >= end || end - from >= WORD) return from === end
  const filling = bytes[from]
  if (filling !== 0 && filling !== ONES) return false
  return bytes.subarray(from, end).every((byte) => byte === filling)
}

/**
 * Takes stuffed zeros, fill bytes and restart markers out of a scan from `from` to `to` of `bytes`, ITU-T T.81 §F.1.2.3. A marker
 * for which `ends` says so ends the scan; others that cannot stand in one are damage: they are noted, and both their bytes count
 * as data.
 */
export function entropyData(
  bytes: Uint8Array,
  from: number,
  to: number,
  ends: (marker: number, offset: number) => boolean,
): EntropyData {
  const out = new Uint8Array(to - from + SLACK)
  const restarts = new MarkerColumns()
  const foreign = new MarkerColumns()
  let length = 0
  let at = from
  while (at < to) {
    if (bytes[at] !== 0xff) {
      let next = bytes.indexOf(0xff, at)
      if (next < 0 || next >= to) next = to
      out.set(bytes.subarray(at, next), length)
      length += next - at
      at = next
    }
    if (at + 1 >= to) {
      at = to
      break
    }
    const code = bytes[at + 1]
    if (code === 0) {
      out[length++] = 0xff
      at += 2
    } else if (code === 0xff) at++
    else if (isRestart(code)) {
      restarts.add(length, code)
      at += 2
    } else if (ends(code, at)) break
    else {
      foreign.add(length, code)
      out[length++] = 0xff
      out[length++] = code
      at += 2
    }
  }
  return { bytes: out.subarray(0, length + SLACK), length, restarts, foreign, end: at }
}

/** Data without bytes at some places, that are none of it: what is behind moves up. */
export function withoutBytes(data: EntropyData, surplus: readonly number[]): EntropyData {
  if (surplus.length === 0) return data
  const places = Uint32Array.from(surplus).sort()
  const bytes = new Uint8Array(data.bytes.length)
  let from = 0
  places.forEach((place, i) => {
    bytes.set(data.bytes.subarray(from, place), from - i)
    from = place + 1
  })
  bytes.set(data.bytes.subarray(from), from - places.length)
  const moved = (markers: MarkerColumns): MarkerColumns => {
    const out = new MarkerColumns()
    let gone = 0
    for (let i = 0; i < markers.count; i++) {
      while (gone < places.length && places[gone] < markers.at(i)) gone++
      // a marker whose second byte is gone is none
      if (places[gone] !== markers.at(i) + 1) out.add(markers.at(i) - gone, markers.code(i))
    }
    return out
  }
  const { restarts, foreign } = data
  return {
    ...data,
    bytes,
    length: data.length - places.length,
    restarts: moved(restarts),
    foreign: moved(foreign),
  }
}

/** Offset in `bytes` of a byte of data that `entropyData` took out of them from `from` on. */
export function offsetOf(bytes: Uint8Array, from: number, byte: number): number {
  let at = from
  for (let left = byte; left > 0 && at + 1 < bytes.length; ) {
    const code = bytes[at] === ONES ? bytes[at + 1] : 0
    if (code === ONES) at++
    else if (isRestart(code)) at += 2
    else {
      // a stuffed zero follows one byte of data; what no scan holds is two of them
      const long = bytes[at] === ONES
      left -= long && code !== 0 ? 2 : 1
      at += long ? 2 : 1
    }
  }
  return at
}
