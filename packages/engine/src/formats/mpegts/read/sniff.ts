import type { ByteReader } from '../../../bytes/reader.ts'
import { isLonePicture, sniffPictures, sniffSound } from '../../../recording/sniff-stream.ts'
import { parsePacketHeader } from '../../../syntax/pes/packet-header.ts'
import { EXTENDED, isVideoId, PRIVATE_1 } from '../../../syntax/pes/stream-ids.ts'
import { type Layout, PACKET_BYTES, payloadStart, SYNC_BYTE } from './packet.ts'
import { descriptorsFor, sniffPrivate } from './private-kinds.ts'
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

/** Codec of a stream, and the descriptors that name it in a program map. */
export interface Sniffed {
  readonly codec: string
  readonly descriptors: Uint8Array
}

const NOTHING = new Uint8Array(0)

/** What a stream's own bytes say it is; undefined where they do not. */
export function sniffStream(reader: ByteReader, layout: Layout, stream: PidStream): Sniffed | undefined {
  const { table, streamId } = stream
  const rows = Math.min(table?.length ?? 0, TRIES)
  const isVideo = isVideoId(streamId)
  const isPrivate = streamId === PRIVATE_1 || streamId === EXTENDED
  let codec: string | undefined
  let lone = 0
  for (let row = 0; row < rows; row++) {
    const bytes = firstPayload(reader, layout, stream, row)
    const own = isPrivate ? sniffPrivate(bytes, table?.size[row] ?? 0) : undefined
    // TrueHD comes with frames of AC-3 between its own
    if (own && (codec === undefined || own === 'truehd'))
      return { codec: own, descriptors: descriptorsFor(own, bytes) }
    codec ??= isVideo || streamId === EXTENDED ? sniffPictures(bytes) : undefined
    if (!isVideo) codec ??= sniffSound(bytes)
    else if (isLonePicture(bytes)) lone++
  }
  // a short piece of a broadcast may hold no sequence header
  if (lone === rows && rows > 0) codec ??= 'mpeg2video'
  // PES packets may begin inside frames
  codec ??= stream.sound?.codec
  return codec ? { codec, descriptors: NOTHING } : undefined
}
