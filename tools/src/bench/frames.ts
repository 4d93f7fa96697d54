import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import type { PacketHash, StreamHashes } from '@mendframe/renderer'
import type { Media } from './media.ts'

/** Bytes of the frame that starts at an offset, 0 where none does. */
type Measure = (bytes: Buffer, at: number) => number

/** Bytes behind the header of a frame by its type, 3GPP TS 26.101 Table 1a and TS 26.201 Table 1a; -1 where reserved. */
const NARROW = [12, 13, 15, 17, 19, 20, 26, 31, 5, 6, 5, 5, -1, -1, -1, 0]
const WIDE = [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, -1, -1, -1, -1, 0, 0]
/** A block of one channel of IMA ADPCM: QuickTime File Format, 'IMA 4:1'. */
const IMA_BLOCK = 34

const speech =
  (sizes: readonly number[]): Measure =>
  (bytes, at) =>
    1 + (sizes[((bytes[at] ?? 0) >> 3) & 15] ?? -1)

/** Sound that files join to samples of as many frames as they like. */
const FRAMES: Readonly<Record<string, Measure>> = {
  amr_nb: speech(NARROW),
  amr_wb: speech(WIDE),
  adpcm_ima_qt: () => IMA_BLOCK,
}

/**
 * The streams of a file, with sound that may be cut anywhere between its frames in packets of one frame: the same bytes in other
 * samples are the same sound. Packets that are not made of whole frames stay as they are.
 */
export async function inFrames(
  path: string,
  streams: readonly StreamHashes[],
  media: Media,
): Promise<StreamHashes[]> {
  const found: StreamHashes[] = []
  for (const stream of streams) {
    const measure = FRAMES[stream.codec]
    found.push(measure ? await splitStream(path, stream, measure, media) : stream)
  }
  return found
}

async function splitStream(
  path: string,
  stream: StreamHashes,
  measure: Measure,
  media: Media,
): Promise<StreamHashes> {
  const payload = `${path}.${stream.index}.frames`
  try {
    await media.payload(path, stream.index, payload)
    const bytes = await readFile(payload)
    let offset = 0
    const packets = stream.packets.flatMap((packet) => {
      const own = bytes.subarray(offset, offset + packet.size)
      offset += packet.size
      return splitPacket(packet, own, measure)
    })
    return { ...stream, packets }
  } finally {
    await rm(payload, { force: true })
  }
}

/** One packet a frame, each at its share of the packet's time. */
export function splitPacket(packet: PacketHash, bytes: Buffer, measure: Measure): PacketHash[] {
  const starts: number[] = []
  let at = 0
  while (at < bytes.length) {
    const length = measure(bytes, at)
    if (length <= 0) return [packet]
    starts.push(at)
    at += length
  }
  if (at !== bytes.length) return [packet]
  const duration = packet.duration / starts.length
  const later = (time: number | undefined, index: number): number | undefined =>
    time === undefined ? undefined : time + index * duration
  return starts.map((start, index) => {
    const own = bytes.subarray(start, starts[index + 1] ?? bytes.length)
    return {
      ...packet,
      pts: later(packet.pts, index),
      dts: later(packet.dts, index),
      duration,
      position: packet.position < 0 ? packet.position : packet.position + start,
      size: own.length,
      md5: createHash('md5').update(own).digest('hex'),
    }
  })
}
