import type { ByteReader } from '../../../bytes/reader.ts'
import { parseSyncFrame } from '../../../codecs/ac3/sync-frame.ts'
import { parseAdtsHeader } from '../../../codecs/adts/header.ts'
import { parseHeader } from '../../../codecs/mp3/header.ts'
import { parsePacketHeader } from '../../../syntax/pes/packet-header.ts'
import { isAudioId, isVideoId } from '../../../syntax/pes/stream-ids.ts'
import { type Layout, PACKET_BYTES, payloadStart, SYNC_BYTE } from './packet.ts'
import type { PidStream } from './stream.ts'

/** Bytes of a PES packet's payload that show what it is. */
const LOOK = 4096
/** Bytes of the file in which they are looked for. */
const REACH = 4 * 1024 * 1024
/** PES packets looked at. */
const TRIES = 24

/** The first bytes of a PES packet's payload. */
export function firstPayload(reader: ByteReader, layout: Layout, stream: PidStream, row: number): Uint8Array {
  const payload = new Uint8Array(LOOK)
  let used = 0
  const from = stream.table?.offset[row] ?? 0
  for (let at = from; at < Math.min(reader.size, from + REACH) && used < LOOK; at += layout.size) {
    const packet = reader.bytes(at + layout.lead, PACKET_BYTES)
    if (packet.length < PACKET_BYTES || packet[0] !== SYNC_BYTE) break
    if ((((packet[1] & 0x1f) << 8) | packet[2]) !== stream.pid) continue
    if (at > from && packet[1] & 0x40) break
    let start = payloadStart(packet, 0)
    if (at === from) start += parsePacketHeader(packet.subarray(start), 0)?.headerLength ?? 9
    if (start >= PACKET_BYTES) continue
    const part = packet.subarray(start, start + LOOK - used)
    payload.set(part, used)
    used += part.length
  }
  return payload.subarray(0, used)
}

/** stream_type of what a stream's own bytes say it is; 0 when they do not. */
export function sniffType(reader: ByteReader, layout: Layout, stream: PidStream): number {
  const rows = Math.min(stream.table?.length ?? 0, TRIES)
  for (let row = 0; row < rows; row++) {
    const type = typeOf(stream.streamId, firstPayload(reader, layout, stream, row), layout)
    if (type !== 0) return type
  }
  return 0
}

function typeOf(id: number, bytes: Uint8Array, layout: Layout): number {
  if (isVideoId(id)) return videoType(bytes)
  if (isAudioId(id)) return soundType(bytes)
  if (parseSyncFrame(bytes, 0)) return parseSyncFrame(bytes, 0)?.enhanced ? 0x87 : 0x81
  if (bytes[0] === 0x7f && bytes[1] === 0xfe && bytes[2] === 0x80 && bytes[3] === 1)
    return layout.lead ? 0x82 : 0x8a
  // a header that counts the bytes behind it, as Blu-ray discs have it
  if (layout.lead && ((bytes[0] << 8) | bytes[1]) + 4 === bytes.length) return 0x80
  if (layout.lead && bytes[0] >= 0x14 && bytes[0] <= 0x17) return 0x90
  return 0
}

function soundType(bytes: Uint8Array): number {
  const adts = parseAdtsHeader(bytes, 0)
  if (
    adts &&
    (adts.length >= bytes.length || parseAdtsHeader(bytes, adts.length) || adts.length === bytes.length)
  )
    return 0x0f
  if (bytes[0] === 0x56 && bytes[1] >> 5 === 7) return 0x11
  const word = ((bytes[0] << 24) | (bytes[1] << 16) | (bytes[2] << 8) | bytes[3]) >>> 0
  const header = parseHeader(word)
  return header ? (header.version === 1 ? 0x03 : 0x04) : 0
}

/** By the start codes of headers that pictures begin with. */
function videoType(bytes: Uint8Array): number {
  for (let at = 0; at + 6 < bytes.length; at++) {
    if (bytes[at] !== 0 || bytes[at + 1] !== 0 || bytes[at + 2] !== 1) continue
    const code = bytes[at + 3]
    if (code === 0xb3) return hasExtension(bytes, at) ? 0x02 : 0x01
    if (code === 0xb0 || code === 0xb6) return 0x10
    // parameter sets and delimiters: H.264 with any reference count, HEVC in layer 0
    if ((code & 0x9f) === 7 || code === 9) return 0x1b
    if ((code === 0x40 || code === 0x42 || code === 0x46) && bytes[at + 4] === 1) return 0x24
  }
  return 0
}

/** MPEG-2 has an extension behind its sequence header, MPEG-1 has none. */
function hasExtension(bytes: Uint8Array, at: number): boolean {
  for (let next = at + 8; next + 3 < bytes.length; next++)
    if (bytes[next] === 0 && bytes[next + 1] === 0 && bytes[next + 2] === 1) return bytes[next + 3] === 0xb5
  return false
}
