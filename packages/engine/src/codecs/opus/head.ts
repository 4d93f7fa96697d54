import { OPUS_RATE, packetSamples } from './packet.ts'

/** Samples that encoders put in front, RFC 7845 §4.2. */
export const PRE_SKIP = 312
/** The bit of a packet's first byte that tells of two channels, RFC 6716 §3.1. */
const STEREO = 4
/** Share of the packets that have to last as long as their times tell, and by how much of that they may be off. */
const MOST = 0.9
const NEAR = 0.02

/**
 * Opus rules few packets out: what tells is that nearly all last as long as one comes behind the other, `seconds`. Returns their
 * channels, 1 or 2; 0 where the packets are no Opus of that pace.
 */
export function toldChannels(packets: readonly Uint8Array[], seconds: number): 0 | 1 | 2 {
  const expected = seconds * OPUS_RATE
  const timely = packets.filter((packet) => {
    const samples = packetSamples(packet)
    return samples > 0 && Math.abs(samples - expected) <= samples * NEAR
  })
  if (timely.length === 0 || timely.length < packets.length * MOST) return 0
  return timely.some(([first]) => (first & STEREO) !== 0) ? 2 : 1
}

/** OpusHead, RFC 7845 §5.1: version, channels, pre-skip, the rate of what was recorded, gain, mapping. */
export function plainHead(channels: number): Uint8Array {
  return Uint8Array.from([
    ...[0x4f, 0x70, 0x75, 0x73, 0x48, 0x65, 0x61, 0x64, 1, channels, PRE_SKIP & 255, PRE_SKIP >> 8],
    ...[OPUS_RATE & 255, OPUS_RATE >> 8, 0, 0, 0, 0, 0],
  ])
}

/** Bytes of an OpusHead without a table of channels, and of what stands in front of those of the table. */
const PLAIN_BYTES = 19
const TABLE_AT = 21
/** Channels that need no table. */
const MOST_PLAIN = 2

/**
 * The channels that an OpusHead tells; undefined where it is none that a decoder reads: without its magic, of a later major
 * version, or without the table of channels that its mapping family demands, RFC 7845 §5.1.
 */
export function headChannels(head: Uint8Array): number | undefined {
  const isHead = String.fromCharCode(...head.subarray(0, 8)) === 'OpusHead' && head.length >= PLAIN_BYTES
  if (!isHead || head[8] >> 4 !== 0 || head[9] === 0) return undefined
  const channels = head[9]
  const family = head[18]
  const isRead = family === 0 ? channels <= MOST_PLAIN : head.length >= TABLE_AT + channels
  return isRead ? channels : undefined
}

/**
 * An OpusHead that no decoder reads, put right: one of 19 bytes has no table, so that its mapping family is 0. `channels` are
 * those told beside it. Undefined where it is read as it is, or nothing tells what is wrong.
 */
export function mendHead(head: Uint8Array, channels: number): Uint8Array | undefined {
  if (head.length !== PLAIN_BYTES || headChannels(head) !== undefined) return undefined
  const own = head[9] > 0 && head[9] <= MOST_PLAIN ? head[9] : channels
  if (!(own > 0 && own <= MOST_PLAIN)) return undefined
  const mended = plainHead(own)
  mended.set(head.subarray(10, PLAIN_BYTES - 1), 10)
  return mended
}
