import type { ByteReader } from '../../../bytes/reader.ts'
import { sniffPictures, sniffSound } from '../../../recording/sniff-stream.ts'
import { parsePacketHeader } from '../../../syntax/pes/packet-header.ts'
import { isVideoId, PRIVATE_1 } from '../../../syntax/pes/stream-ids.ts'
import { type Layout, PACKET_BYTES, payloadStart, SYNC_BYTE } from './packet.ts'
import type { PidStream } from './stream.ts'

/** Bytes of a PES packet's payload that show what it is. */
const LOOK = 4096
/** Bytes of the file in which they are looked for. */
const REACH = 4 * 1024 * 1024
/** PES packets looked at. */
const TRIES = 24

/** The first bytes of a PES packet's payload, `most` of them. */
export function firstPayload(
  reader: ByteReader,
  layout: Layout,
  stream: PidStream,
  row: number,
  most = LOOK,
): Uint8Array {
  const payload = new Uint8Array(most)
  let used = 0
  const from = stream.table?.offset[row] ?? 0
  for (let at = from; at < Math.min(reader.size, from + REACH) && used < most; at += layout.size) {
    const packet = reader.bytes(at + layout.lead, PACKET_BYTES)
    if (packet.length < PACKET_BYTES || packet[0] !== SYNC_BYTE) break
    if ((((packet[1] & 0x1f) << 8) | packet[2]) !== stream.pid) continue
    if (at > from && packet[1] & 0x40) break
    let start = payloadStart(packet, 0)
    if (at === from) start += parsePacketHeader(packet.subarray(start), 0)?.headerLength ?? 9
    if (start >= PACKET_BYTES) continue
    const part = packet.subarray(start, start + most - used)
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

/** stream_type by codec. */
const TYPES: Readonly<Record<string, number>> = {
  mpeg1video: 0x01,
  mpeg2video: 0x02,
  mp2: 0x03,
  'aac-adts': 0x0f,
  mpeg4: 0x10,
  'aac-latm': 0x11,
  h264: 0x1b,
  hevc: 0x24,
  ac3: 0x81,
  eac3: 0x87,
  dts: 0x8a,
  vc1: 0xea,
}
/** Those that Blu-ray discs and AVCHD have numbers of their own for. */
const DISC_TYPES: Readonly<Record<string, number>> = { ...TYPES, dts: 0x82, eac3: 0x84 }
const DISC_PCM = 0x80
const DISC_SUBTITLE = 0x90

function typeOf(id: number, bytes: Uint8Array, { lead }: Layout): number {
  const codec = isVideoId(id) ? sniffPictures(bytes) : sniffSound(bytes)
  if (codec) return (lead ? DISC_TYPES : TYPES)[codec] ?? 0
  if (id !== PRIVATE_1 || !lead) return 0
  // a header that counts the bytes behind it
  if (((bytes[0] << 8) | bytes[1]) + 4 === bytes.length) return DISC_PCM
  return bytes[0] >= 0x14 && bytes[0] <= 0x17 ? DISC_SUBTITLE : 0
}
