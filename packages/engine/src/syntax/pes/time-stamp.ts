/** Ticks a second of PTS, DTS and of the base of PCR and SCR. */
export const CLOCK = 90_000
/** Time stamps have 33 bits: they start anew after 26.5 hours. */
export const WRAP = 2 ** 33

/** Bytes of a PTS, a DTS or an SCR of MPEG-1. */
export const STAMP_BYTES = 5
/** The four bits in front of them, ISO/IEC 13818-1:2022 §2.4.3.7. */
const PTS_ALONE = 2
const PTS_BEFORE_DTS = 3
const DTS = 1

/** Reads the 33 bits of a PTS, DTS or MPEG-1 SCR, ISO/IEC 13818-1:2022 §2.4.3.7; -1 when a marker bit is missing. */
export function readTimeStamp(bytes: Uint8Array, at: number): number {
  if (at + STAMP_BYTES > bytes.length || !(bytes[at] & bytes[at + 2] & bytes[at + 4] & 1)) return -1
  const high = (bytes[at] >> 1) & 7
  const middle = (bytes[at + 1] << 7) | (bytes[at + 2] >> 1)
  const low = (bytes[at + 3] << 7) | (bytes[at + 4] >> 1)
  return high * 2 ** 30 + middle * 2 ** 15 + low
}

/** Writes a time stamp with its markers; `prefix` is the four bits in front. */
export function writeTimeStamp(bytes: Uint8Array, at: number, prefix: number, ticks: number): void {
  const value = wrapped(ticks)
  const high = Math.floor(value / 2 ** 30)
  const rest = value % 2 ** 30
  bytes[at] = (prefix << 4) | (high << 1) | 1
  bytes[at + 1] = rest >> 22
  bytes[at + 2] = ((rest >> 14) & 0xfe) | 1
  bytes[at + 3] = (rest >> 7) & 0xff
  bytes[at + 4] = ((rest << 1) & 0xfe) | 1
}

/** Writes the time stamps of a packet's header: a PTS alone, or with a DTS behind it. */
export function writeTimeStamps(bytes: Uint8Array, at: number, pts: number, dts: number | undefined): void {
  writeTimeStamp(bytes, at, dts === undefined ? PTS_ALONE : PTS_BEFORE_DTS, pts)
  if (dts !== undefined) writeTimeStamp(bytes, at + STAMP_BYTES, DTS, dts)
}

/** Ticks from one time stamp to another by the shorter way around, -2^32 to 2^32. */
export function ticksBetween(from: number, to: number): number {
  const direct = to - from
  if (direct >= -WRAP / 2 && direct < WRAP / 2) return direct
  const apart = wrapped(direct)
  return apart < WRAP / 2 ? apart : apart - WRAP
}

/** Ticks as a time stamp has them, 0 to 2^33. */
export function wrapped(ticks: number): number {
  // a remainder of such numbers costs more than all else that is done with a time
  return ticks >= 0 && ticks < WRAP ? ticks : ((ticks % WRAP) + WRAP) % WRAP
}
