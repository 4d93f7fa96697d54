import type { BitReader } from '../../bytes/bit-reader.ts'

/** MHASPacketType, ISO/IEC 23008-3:2022 Table 223. */
export const CONFIGURATION = 1
export const FRAME = 2
export const SYNC = 6
export const TRUNCATION = 17
const HIGHEST_TYPE = 22
const RESERVED = [4, 5]
/** Bytes of packets whose size is fixed: synchronisation, checksums and the number of samples to leave out. */
const SIZES: ReadonlyMap<number, number> = new Map([
  [SYNC, 1],
  [9, 2],
  [10, 4],
  [TRUNCATION, 2],
])
/** Bytes of a packet's head at most. */
export const HEAD_BYTES = 16
/** What a synchronisation packet holds. */
export const SYNC_BYTE = 0xa5

/** Head of one packet of an MHAS stream. */
export interface Packet {
  readonly type: number
  readonly label: number
  /** Bytes of its head, and of its payload. */
  readonly head: number
  readonly size: number
}

/** mpeghAudioStreamPacket() where `bits` stands, ISO/IEC 23008-3:2022 §14.2.1; undefined where none may be. */
export function readPacket(bits: BitReader): Packet | undefined {
  const from = bits.position
  const type = escaped(bits, 3, 8, 8)
  const label = escaped(bits, 2, 8, 32)
  const size = escaped(bits, 11, 24, 24)
  if (bits.overrun || type > HIGHEST_TYPE || RESERVED.includes(type)) return undefined
  if (size !== (SIZES.get(type) ?? size) || (type === SYNC && label !== 0)) return undefined
  if (size === 0 && (type === FRAME || type === CONFIGURATION)) return undefined
  return { type, label, head: (bits.position - from) / 8, size }
}

/** escapedValue(), ISO/IEC 23003-3:2020 §5.2. */
function escaped(bits: BitReader, first: number, second: number, third: number): number {
  const value = bits.bits(first)
  if (value < 2 ** first - 1) return value
  const more = bits.bits(second)
  return value + more + (more === 2 ** second - 1 ? bits.bits(third) : 0)
}
