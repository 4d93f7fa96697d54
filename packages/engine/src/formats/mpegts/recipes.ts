import {
  bitsFlipped,
  blocksLost,
  bytesDeleted,
  bytesInserted,
  headCut,
  headZeroed,
  noise,
  type Recipe,
  trailingGarbage,
  truncated,
  zeroTail,
} from '../../bytes/damage.ts'
import { ByteReader } from '../../bytes/reader.ts'
import { MemorySource } from '../../bytes/source.ts'
import { isPacketStart } from '../../syntax/pes/packet-header.ts'
import { readTimeStamp, writeTimeStamp } from '../../syntax/pes/time-stamp.ts'
import { CLOCK_AT, hasClock, readClock, writeClock } from './read/clock.ts'
import { guessLayout } from './read/layout.ts'
import { LAYOUTS, type Layout, PACKET_BYTES, payloadStart } from './read/packet.ts'

/** How an undamaged file frames its packets. */
export function layoutOf(bytes: Uint8Array): Layout {
  return guessLayout(new ByteReader(new MemorySource(bytes)))?.layout ?? LAYOUTS[0]
}

/** The sync bytes of all packets of an undamaged file, with their PIDs. */
export function packetsOf(bytes: Uint8Array): { at: number; pid: number }[] {
  const { size, lead } = layoutOf(bytes)
  const packets: { at: number; pid: number }[] = []
  for (let at = lead; at + PACKET_BYTES <= bytes.length; at += size)
    packets.push({ at, pid: ((bytes[at + 1] & 0x1f) << 8) | bytes[at + 2] })
  return packets
}

/** The packet at `share` of those of the PID with most packets. */
export function pictureAt(bytes: Uint8Array, share: number): number {
  const packets = packetsOf(bytes)
  const counts = new Map<number, number>()
  for (const { pid } of packets) counts.set(pid, (counts.get(pid) ?? 0) + 1)
  const [[most]] = [...counts].sort((a, b) => b[1] - a[1])
  const own = packets.filter(({ pid }) => pid === most)
  return own[Math.floor(own.length * share)].at
}

/** Clock references and time stamps from `share` of the packets on moved; only `of` the streams, all of them without. */
export function timesMoved(bytes: Uint8Array, share: number, ticks: number, of?: number): Uint8Array {
  const result = new Uint8Array(bytes)
  const packets = packetsOf(bytes)
  for (const { at, pid } of packets.slice(Math.floor(packets.length * share))) {
    if (hasClock(bytes, at)) {
      const { base, extension } = readClock(bytes, at + CLOCK_AT)
      result.set(writeClock(base + ticks, extension), at + CLOCK_AT)
    }
    const packet = result.subarray(at, at + PACKET_BYTES)
    const start = payloadStart(packet, 0)
    if ((packet[1] & 0x40) === 0 || (of !== undefined && of !== pid) || !isPacketStart(packet, start))
      continue
    const kinds = packet[start + 7] >> 6
    for (let i = 0; i < kinds - 1; i++) {
      const stamp = start + 9 + 5 * i
      writeTimeStamp(packet, stamp, packet[stamp] >> 4, readTimeStamp(packet, stamp) + ticks)
    }
  }
  return result
}

/** Every packet of the tables overwritten: no association, no map. */
export function tablesLost(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes)
  for (const { at, pid } of packetsOf(bytes)) {
    const isTable = pid === 0 || (bytes[at + 4] === 0 && bytes[at + 5] === 2)
    if (isTable) result.fill(0xff, at + 4, at + PACKET_BYTES)
  }
  return result
}

/** One bit of a packet's header turned; `at` is its sync byte. */
export function headerFlipped(bytes: Uint8Array, at: number, byte: number, bit: number): Uint8Array {
  const result = new Uint8Array(bytes)
  result[at + byte] ^= 1 << bit
  return result
}

/** `count` packets from the one at `at` on overwritten with noise. */
export function packetsOverwritten(bytes: Uint8Array, at: number, count: number): Uint8Array {
  const result = new Uint8Array(bytes)
  const { size, lead } = layoutOf(bytes)
  result.set(noise(size * count, at), at - lead)
  return result
}

/** Damages of transport streams. */
export const RECIPES: readonly Recipe[] = [
  { name: 'cut', apply: (bytes) => truncated(bytes, 0.7) },
  { name: 'zero tail', apply: (bytes) => zeroTail(bytes, 0.7) },
  { name: 'head cut away', apply: (bytes) => headCut(bytes, 10_007) },
  { name: 'head zeroed', apply: (bytes) => headZeroed(bytes, 20_000) },
  { name: 'foreign bytes behind', apply: (bytes, seed) => trailingGarbage(bytes, 5_000, seed) },
  { name: 'blocks zeroed', apply: (bytes, seed) => blocksLost(bytes, 2, 2_048, false, seed) },
  { name: 'blocks overwritten', apply: (bytes, seed) => blocksLost(bytes, 2, 2_048, true, seed) },
  { name: 'bytes missing', apply: (bytes) => bytesDeleted(bytes, 512, 0.5) },
  { name: 'foreign bytes inside', apply: (bytes, seed) => bytesInserted(bytes, 777, 0.55, seed) },
  { name: 'bits flipped', apply: (bytes, seed) => bitsFlipped(bytes, 20, seed) },
  { name: 'tables lost', apply: tablesLost },
]
