import { RendererError } from '../errors.ts'
import { type Box, findBox } from './boxes.ts'

/** A track's samples in decoding order, in columns. Times are in ticks of the track. */
export interface SampleTable {
  readonly count: number
  readonly offsets: Float64Array
  readonly sizes: Uint32Array
  readonly dts: Float64Array
  /** Composition offsets; undefined when the track has none. */
  readonly shifts: Int32Array | undefined
  /** 1 for sync samples; undefined when all are. */
  readonly sync: Uint8Array | undefined
  readonly timescale: number
}

/** A week of 60 pictures a second. */
const SAMPLE_LIMIT = 40_000_000

/** Reads the sample tables of a track (ISO/IEC 14496-12:2022 §8.6, §8.7). @throws RendererError `input` */
export function readSamples(moov: Buffer, trak: Box): SampleTable {
  const stbl = findBox(moov, trak, 'mdia', 'minf', 'stbl')
  const mdhd = findBox(moov, trak, 'mdia', 'mdhd')
  const table = (type: string): Buffer | undefined => {
    const box = stbl && findBox(moov, stbl, type)
    return box && moov.subarray(box.content, box.end)
  }
  const stsz = table('stsz')
  const stsc = table('stsc')
  const stts = table('stts')
  const chunks = chunkOffsets(table('stco'), table('co64'))
  if (!mdhd || !stsz || !stsc || !stts || !chunks)
    throw new RendererError('unsupported', 'the track’s sample tables are not complete')
  try {
    const sizes = readSizes(stsz)
    return {
      count: sizes.length,
      sizes,
      offsets: readOffsets(stsc, chunks, sizes),
      dts: readTimes(stts, sizes.length),
      shifts: readShifts(table('ctts'), sizes.length),
      sync: readSync(table('stss'), sizes.length),
      timescale: moov.readUInt32BE(mdhd.content + (moov[mdhd.content] === 1 ? 20 : 12)),
    }
  } catch (error) {
    if (error instanceof RangeError)
      throw new RendererError('input', 'a sample table is shorter than it says', { cause: error })
    throw error
  }
}

function chunkOffsets(stco: Buffer | undefined, co64: Buffer | undefined): Float64Array | undefined {
  const bytes = stco ?? co64
  if (!bytes || bytes.length < 8) return undefined
  const width = stco ? 4 : 8
  const count = Math.min(bytes.readUInt32BE(4), Math.floor((bytes.length - 8) / width))
  const offsets = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const at = 8 + i * width
    offsets[i] = stco ? bytes.readUInt32BE(at) : Number(bytes.readBigUInt64BE(at))
  }
  return offsets
}

function readSizes(stsz: Buffer): Uint32Array {
  const constant = stsz.readUInt32BE(4)
  const count = stsz.readUInt32BE(8)
  if (count > SAMPLE_LIMIT) throw new RendererError('unsupported', 'the track has too many samples')
  if (constant > 0) return new Uint32Array(count).fill(constant)
  const sizes = new Uint32Array(count)
  for (let i = 0; i < count; i++) sizes[i] = stsz.readUInt32BE(12 + i * 4)
  return sizes
}

function readOffsets(stsc: Buffer, chunks: Float64Array, sizes: Uint32Array): Float64Array {
  const offsets = new Float64Array(sizes.length)
  const entries = stsc.readUInt32BE(4)
  let sample = 0
  for (let entry = 0; entry < entries; entry++) {
    const at = 8 + entry * 12
    const first = stsc.readUInt32BE(at)
    const each = stsc.readUInt32BE(at + 4)
    if (stsc.readUInt32BE(at + 8) !== 1)
      throw new RendererError('unsupported', 'the track has several sample descriptions')
    const next = entry + 1 < entries ? stsc.readUInt32BE(at + 12) : chunks.length + 1
    for (let chunk = first; chunk < next && sample < sizes.length; chunk++) {
      let offset = chunks[chunk - 1]
      if (offset === undefined) throw new RendererError('input', 'a chunk is missing')
      for (let i = 0; i < each && sample < sizes.length; i++) {
        offsets[sample] = offset
        offset += sizes[sample] ?? 0
        sample++
      }
    }
  }
  if (sample < sizes.length) throw new RendererError('input', 'samples without a chunk')
  return offsets
}

function readTimes(stts: Buffer, count: number): Float64Array {
  const times = new Float64Array(count + 1)
  const entries = stts.readUInt32BE(4)
  let sample = 0
  let time = 0
  for (let entry = 0; entry < entries; entry++) {
    const delta = stts.readUInt32BE(12 + entry * 8)
    for (let left = stts.readUInt32BE(8 + entry * 8); left > 0 && sample < count; left--) {
      times[sample++] = time
      time += delta
    }
  }
  if (sample < count) throw new RendererError('input', 'samples without a time')
  times[count] = time
  return times
}

function readShifts(ctts: Buffer | undefined, count: number): Int32Array | undefined {
  if (!ctts) return undefined
  const shifts = new Int32Array(count)
  const entries = ctts.readUInt32BE(4)
  let sample = 0
  for (let entry = 0; entry < entries && sample < count; entry++) {
    // Version 0 says unsigned; writers put negative numbers there all the same.
    const shift = ctts.readInt32BE(12 + entry * 8)
    for (let left = ctts.readUInt32BE(8 + entry * 8); left > 0 && sample < count; left--)
      shifts[sample++] = shift
  }
  return shifts
}

function readSync(stss: Buffer | undefined, count: number): Uint8Array | undefined {
  if (!stss) return undefined
  const sync = new Uint8Array(count)
  const entries = stss.readUInt32BE(4)
  for (let entry = 0; entry < entries; entry++) {
    const sample = stss.readUInt32BE(8 + entry * 4)
    if (sample >= 1 && sample <= count) sync[sample - 1] = 1
  }
  return sync
}
