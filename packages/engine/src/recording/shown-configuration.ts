import { ByteReader } from '../bytes/reader.ts'
import type { Region } from '../bytes/regions.ts'
import { MemorySource } from '../bytes/source.ts'
import { frameAt } from '../codecs/cinepak/frame.ts'
import { parseAvcC } from '../codecs/h264/avcc.ts'
import { type LooseSlice, looseSlices } from '../codecs/h264/loose-slices.ts'
import { headersContradict, readsAs } from '../codecs/h264/prove-sets.ts'
import { toldDepth } from '../codecs/hevc/bit-depth.ts'
import { parseHvcC } from '../codecs/hevc/hvcc.ts'
import { readsAs as readsAsHevc } from '../codecs/hevc/prove-size.ts'
import { layerOf } from '../codecs/mpeg4/headers.ts'
import { readsAs as readsAsMpeg4 } from '../codecs/mpeg4/intra-planes.ts'
import type { TrackDescription } from '../model/track.ts'
import { nalLengthSize } from './nal-chain.ts'

/** Slices of H.264 looked at, and units that slices or key pictures are taken from. */
const MOST_SLICES = 300
const MOST_UNITS = 600
/** Bytes of the length that slices of H.264 are looked for behind. */
const LENGTH_SIZE = 4

/**
 * Whether pictures show that a configuration which did not stand beside them is theirs: key pictures read to their very last bit
 * with its parameter sets, and headers of the others do not speak against them. Undefined for codecs whose units tell all that
 * they need.
 */
export function showsConfiguration(
  reader: ByteReader,
  track: TrackDescription,
  units: readonly Region[],
): boolean | undefined {
  const looked = units.slice(0, MOST_UNITS)
  if (track.codec === 'h264') return track.framing === 'length' && showsAvc(reader, track, looked)
  if (track.codec === 'hevc') return track.framing === 'length' && showsHevc(reader, track, looked)
  if (track.codec === 'mpeg4') {
    const layer = layerOf(new ByteReader(new MemorySource(track.config)))
    return layer !== undefined && readsAsMpeg4(reader, looked, layer)
  }
  if (track.codec === 'mjpeg') return showsSize(reader, track, looked)
  if (track.codec === 'cinepak') return showsBlocks(reader, track, looked)
  return undefined
}

/** Segments looked through for the frame header. */
const MOST_SEGMENTS = 64

/** Whether Motion JPEG pictures are as large as the track says, ITU-T T.81 §B.2.2: decoders take half as high ones for fields. */
function showsSize(
  reader: ByteReader,
  track: TrackDescription,
  [first]: readonly Region[],
): boolean | undefined {
  if (!first || track.width === undefined || reader.u16(first.offset) !== 0xffd8) return undefined
  let at = first.offset + 2
  for (let count = 0; count < MOST_SEGMENTS && at + 9 < first.offset + first.length; count++) {
    const marker = reader.u8(at + 1)
    if (reader.u8(at) !== 0xff) return undefined
    if (marker >= 0xc0 && marker <= 0xc2)
      return reader.u16(at + 7) === track.width && [1, 2].includes((track.height ?? 0) / reader.u16(at + 5))
    at += 2 + reader.u16(at + 2)
  }
  return undefined
}

/** Pixels of a block of Cinepak: sizes of its frames are whole blocks. */
const BLOCK = 4

/** Whether frames of Cinepak are as large as the track says, up to whole blocks. */
function showsBlocks(
  reader: ByteReader,
  { width = 0, height = 0 }: TrackDescription,
  units: readonly Region[],
): boolean | undefined {
  const inBlocks = (pixels: number): number => Math.ceil(pixels / BLOCK)
  for (const { offset, length } of units) {
    const frame = frameAt(reader, offset, offset + length)
    if (frame) return inBlocks(width) * BLOCK === frame.width && inBlocks(height) * BLOCK === frame.height
  }
  return undefined
}

function showsAvc(reader: ByteReader, track: TrackDescription, units: readonly Region[]): boolean {
  const sets = parseAvcC(track.config)
  if (!sets || nalLengthSize(track) !== LENGTH_SIZE) return false
  const slices = slicesOf(reader, units)
  return !headersContradict(reader, slices, sets) && readsAs(reader, slices, sets) === true
}

function slicesOf(reader: ByteReader, units: readonly Region[]): LooseSlice[] {
  const slices: LooseSlice[] = []
  for (const { offset, length } of units) {
    if (slices.length >= MOST_SLICES) break
    slices.push(...looseSlices(reader, offset, offset + length, MOST_SLICES - slices.length))
  }
  return slices
}

function showsHevc(reader: ByteReader, track: TrackDescription, units: readonly Region[]): boolean {
  const sets = parseHvcC(track.config)
  if (!sets || !readsAsHevc(reader, units, sets)) return false
  const depth = toldDepth(reader, units, sets)
  return depth === undefined || depth === sets.sps[0]?.bitDepthLuma
}
