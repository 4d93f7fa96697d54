import { ByteReader } from '../../../bytes/reader.ts'
import { mergeRegions } from '../../../bytes/regions.ts'
import { MemorySource } from '../../../bytes/source.ts'
import { inBandSequences } from '../../../codecs/av1/configuration.ts'
import { deduceSets } from '../../../codecs/h264/deduce-sets.ts'
import { configurationOf as avcConfiguration, InBandH264 } from '../../../codecs/h264/in-band.ts'
import { type LooseSlice, looseSlices } from '../../../codecs/h264/loose-slices.ts'
import { configurationOf as hevcConfiguration, InBandHevc } from '../../../codecs/hevc/in-band.ts'
import { deduceLayers } from '../../../codecs/mpeg4/deduce-layer.ts'
import { layerOf } from '../../../codecs/mpeg4/headers.ts'
import { parseSequence } from '../../../codecs/mpeg12/headers.ts'
import { parseUncompressedHeader } from '../../../codecs/vp9/uncompressed-header.ts'
import { nalChain } from '../../../recording/nal-chain.ts'
import type { Deduced } from './finding.ts'
import type { Frame, Stream } from './stream.ts'

/** Share of the frames that must be what a codec says. */
const MOST = 0.9
const LENGTH_SIZE = 4
/** Frames looked at for each codec. */
const LOOKED = 48
const HEAD = 256
/** Slices from which the sets of H.264 are worked out. */
const SLICES = 400

type Pause = () => Promise<void>

/** What kind of pictures a track's frames are; undefined when they are none that tell enough of themselves. */
export async function deducePictures(
  reader: ByteReader,
  stream: Stream,
  pause: Pause,
): Promise<Deduced | undefined> {
  const [first] = stream.keys
  if (!first) return undefined
  for (const see of [seeVp9, seeVp8, seeJpeg, seeMpeg, seeMpeg4]) {
    const found = see(reader, first)
    if (found) return found
  }
  return seeBarePlanes(reader, stream) ?? (await seeNals(reader, stream, pause)) ?? seeAv1(reader, stream)
}

function head(reader: ByteReader, { offset, size }: Frame, most = HEAD): Uint8Array {
  return reader.bytes(offset, Math.min(size, most)).slice()
}

/** VP9 Bitstream & Decoding Process Specification v0.6 §7.2. */
function seeVp9(reader: ByteReader, frame: Frame): Deduced | undefined {
  const header = parseUncompressedHeader(head(reader, frame), 0, 0)
  if (!header?.key || header.bytes + header.compressedBytes > frame.size) return undefined
  return { codecId: 'V_VP9', kind: 'video', assumed: false, width: header.width, height: header.height }
}

/** RFC 6386 §9.1. */
function seeVp8(reader: ByteReader, { offset, size }: Frame): Deduced | undefined {
  if (size < 10 || reader.u24(offset + 3) !== 0x9d012a) return undefined
  const width = reader.u16le(offset + 6) & 0x3fff
  const height = reader.u16le(offset + 8) & 0x3fff
  return width > 0 && height > 0
    ? { codecId: 'V_VP8', kind: 'video', assumed: false, width, height }
    : undefined
}

/** ITU-T T.81 §B.2.2. */
function seeJpeg(reader: ByteReader, { offset, size }: Frame): Deduced | undefined {
  if (reader.u16(offset) !== 0xffd8) return undefined
  const end = offset + size
  for (let at = offset + 2; at + 9 < end; at += 2 + reader.u16(at + 2)) {
    const marker = reader.u8(at + 1)
    if (reader.u8(at) !== 0xff || marker < 0xc0 || marker === 0xda) return undefined
    if (marker > 0xc2) continue
    const height = reader.u16(at + 5)
    const width = reader.u16(at + 7)
    return width > 0 && height > 0
      ? { codecId: 'V_MJPEG', kind: 'video', assumed: false, width, height }
      : undefined
  }
  return undefined
}

const SEQUENCE_HEADER = 0x1b3
/** What MPEG-1 does not have behind it. */
const EXTENSION = 0xb5

/** ITU-T H.262 §6.2.2.1. */
function seeMpeg(reader: ByteReader, frame: Frame): Deduced | undefined {
  if (reader.u32(frame.offset) !== SEQUENCE_HEADER) return undefined
  const bytes = head(reader, frame)
  const sequence = parseSequence(bytes.subarray(4))
  if (!sequence) return undefined
  const { width, height } = sequence
  const headers = headersOf(bytes)
  return {
    codecId: headers.some((byte, i) => byte === EXTENSION && headers[i - 1] === 1) ? 'V_MPEG2' : 'V_MPEG1',
    kind: 'video',
    assumed: false,
    codecPrivate: headers,
    width,
    height,
  }
}

/** What stands in front of the group of pictures or picture that a key frame begins with. */
function headersOf(bytes: Uint8Array): Uint8Array {
  for (let at = 4; at + 4 <= bytes.length; at++)
    if (bytes[at] === 0 && bytes[at + 1] === 0 && bytes[at + 2] === 1 && [0xb8, 0].includes(bytes[at + 3]))
      return bytes.slice(0, at)
  return new Uint8Array(0)
}

/** ISO/IEC 14496-2 §6.2: only streams that repeat their headers tell what they are. */
function seeMpeg4(reader: ByteReader, frame: Frame): Deduced | undefined {
  const layer = layerOf(new ByteReader(new MemorySource(head(reader, frame))))
  if (!layer) return undefined
  const bytes = head(reader, frame)
  const plane = planeAt(bytes)
  return {
    codecId: 'V_MPEG4/ISO/ASP',
    kind: 'video',
    assumed: false,
    codecPrivate: bytes.slice(0, plane),
    width: layer.width,
    height: layer.height,
  }
}

const PLANE = 0x1b6

/** The same for a stream whose headers were in front of it alone: reading its planes tells them. */
function seeBarePlanes(reader: ByteReader, { frames, keys }: Stream): Deduced | undefined {
  if (shareOf(frames, ({ offset }) => reader.u32(offset) === PLANE) < MOST) return undefined
  const regions = [...frames, ...keys.slice(0, 4)]
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, size }) => ({ offset, length: size }))
  const [layer] = deduceLayers(reader, mergeRegions(regions))
  if (!layer) return undefined
  const { config, width, height, assumed } = layer
  return {
    codecId: 'V_MPEG4/ISO/ASP',
    kind: 'video',
    assumed: assumed.length > 0,
    codecPrivate: config,
    width,
    height,
  }
}

function planeAt(bytes: Uint8Array): number {
  for (let at = 0; at + 4 <= bytes.length; at++)
    if (bytes[at] === 0 && bytes[at + 1] === 0 && bytes[at + 2] === 1 && [0xb3, 0xb6].includes(bytes[at + 3]))
      return at
  return bytes.length
}

function shareOf(frames: readonly Frame[], fits: (frame: Frame) => boolean): number {
  const looked = frames.slice(0, LOOKED)
  return looked.length === 0 ? 0 : looked.filter(fits).length / looked.length
}

/** H.264 and HEVC behind lengths of four bytes, by their parameter sets, or without them by reading the pictures. */
async function seeNals(
  reader: ByteReader,
  { frames, keys }: Stream,
  pause: Pause,
): Promise<Deduced | undefined> {
  const chains = (codec: string): boolean =>
    shareOf(frames, ({ offset, size }) => nalChain(reader, codec, LENGTH_SIZE, offset, size) === size) >= MOST
  const [avc, hevc] = [chains('h264'), chains('hevc')]
  if (hevc) {
    const sets = new InBandHevc()
    for (const { offset, size } of keys) sets.search(reader, offset, offset + size)
    const [best] = sets.sets()
    if (best) {
      const { config, width, height } = hevcConfiguration(best, LENGTH_SIZE)
      return {
        codecId: 'V_MPEGH/ISO/HEVC',
        kind: 'video',
        assumed: false,
        codecPrivate: config,
        width,
        height,
      }
    }
  }
  if (!avc) return undefined
  const sets = new InBandH264()
  for (const { offset, size } of keys) sets.search(reader, offset, offset + size)
  const [best] = sets.sets()
  if (best) {
    const { config, width, height } = avcConfiguration(best, LENGTH_SIZE)
    return { codecId: 'V_MPEG4/ISO/AVC', kind: 'video', assumed: false, codecPrivate: config, width, height }
  }
  const found = await deduceSets(reader, slicesOf(reader, frames), pause)
  if (!found) return undefined
  const { config, width, height, assumed } = found
  return {
    codecId: 'V_MPEG4/ISO/AVC',
    kind: 'video',
    assumed: assumed.length > 0,
    codecPrivate: config,
    ...{ width, height },
  }
}

function slicesOf(reader: ByteReader, frames: readonly Frame[]): LooseSlice[] {
  const slices: LooseSlice[] = []
  for (const { offset, size } of frames) {
    if (slices.length >= SLICES) break
    slices.push(...looseSlices(reader, offset, offset + size, SLICES - slices.length))
  }
  return slices
}

/** AV1 by the sequence headers that its key frames carry. */
function seeAv1(reader: ByteReader, { keys }: Stream): Deduced | undefined {
  const regions = keys.map(({ offset, size }) => ({ offset, length: Math.min(size, HEAD) }))
  const [best] = inBandSequences(reader, regions)
  if (!best || best.count < Math.max(1, keys.length * MOST)) return undefined
  const { config, width, height } = best
  return { codecId: 'V_AV1', kind: 'video', assumed: false, codecPrivate: config, width, height }
}
