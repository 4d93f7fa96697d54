import type { ByteReader } from '../../bytes/reader.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import { isZero } from '../../bytes/zeros.ts'
import { healthyRaw, lostRaw, mendedRaw } from '../../photo/raw/raw-outcome.ts'
import type { PhotoOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess, FOREIGN, type Placed } from './assess.ts'
import { fitRows, rowsAgree } from './fit.ts'
import { CORE, FILE_HEADER, isSigned, leastOffset, paletteStart, strideOf } from './read.ts'
import { retoldFront } from './retold.ts'
import { type Front, mend, reportOf } from './write.ts'

const NO_HEADER =
  'What says how the pixels lie in the file is gone, and the pixels do not tell it: a picture of the same size as a sample may help.'
/** Bytes that a picture may ask for, for each that is there. */
const MOST_MISSING = 1_000
/** File header, and the commonest header behind it. */
const HEADERS = 54
const MOST_OFFSET = 2_048

/** Repairs a bitmap by its own header, by a sample's, or by the rows that its pixels make. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<PhotoOutcome> {
  const { reader } = job.damaged
  const own = await assess(reader, job.limits, job.monitor)
  const { findings, placed } = own
  if (placed && own.healthy) return healthyRaw(findings, reportOf(reader, placed, []))
  if (own.foreign) return lostRaw(reader, findings, FOREIGN, job.monitor)
  const sample = job.sample && (await assess(job.sample.reader, job.limits, job.monitor))
  const model = sample?.healthy ? sample.placed : undefined
  const front = placed
    ? ownFront(reader, placed, job.sample?.reader, model)
    : ((await retoldFront(reader, job.monitor)) ??
      sampleFront(reader, job.sample?.reader, model) ??
      fittedFront(reader, own))
  const there = front ? reader.size - front.placed.offset : 0
  if (!front || there <= 0 || front.placed.length > there * MOST_MISSING)
    return lostRaw(reader, findings, NO_HEADER, job.monitor)
  if (front.placed.runs && front.placed.runs.rows === 0)
    return lostRaw(reader, findings, 'No row of the picture is left.', job.monitor)
  return mendedRaw(reader, findings, mend(reader, front), sink, job.monitor)
}

/** The file's own header, with a palette of the sample where its own is gone. */
function ownFront(
  reader: ByteReader,
  placed: Placed,
  sampleReader: ByteReader | undefined,
  model: Placed | undefined,
): Front {
  const { at, info, offset } = placed
  const header = Uint8Array.from(reader.bytes(at, paletteStart(info)))
  const start = at + paletteStart(info)
  const palette = Uint8Array.from(reader.bytes(start, offset - start))
  if (!placed.paletteLost) return { placed, header, palette, from: 'file' }
  const same = model && model.info.bits === info.bits && model.info.colourBytes === info.colourBytes
  const colours = same && sampleReader ? paletteOf(sampleReader, model) : grays(info.bits, info.colourBytes)
  palette.set(colours.subarray(0, palette.length))
  return { placed, header, palette, from: 'file', paletteFrom: same ? 'sample' : 'standard' }
}

/** A sample's header, where the file is as long as it and its rows go together as the sample's are long. */
function sampleFront(
  reader: ByteReader,
  sampleReader: ByteReader | undefined,
  model: Placed | undefined,
): Front | undefined {
  if (!sampleReader || !model || model.runs || reader.size !== sampleReader.size) return undefined
  const { info, offset, length } = model
  if (!rowsAgree(reader, offset, Math.min(length, reader.size - offset), strideOf(info))) return undefined
  const start = FILE_HEADER + paletteStart(info)
  const kept = Uint8Array.from(reader.bytes(start, offset - start))
  const gone = info.bits <= 8 && isZero(reader, start, offset)
  return {
    placed: {
      ...model,
      at: FILE_HEADER,
      holes: [],
      paletteLost: gone,
      profileCut: info.profile !== undefined,
    },
    header: Uint8Array.from(sampleReader.bytes(model.at, paletteStart(info))),
    palette: gone ? paletteOf(sampleReader, model) : kept,
    from: 'sample',
    ...(gone ? { paletteFrom: 'sample' as const } : {}),
  }
}

/** A new header for rows as long as neighbours are most alike. */
function fittedFront(reader: ByteReader, { depth }: Assessment): Front | undefined {
  const { size } = reader
  const named = reader.u32le(10)
  const offset = named >= FILE_HEADER + CORE && named <= MOST_OFFSET ? named : HEADERS
  const declared = isSigned(reader) ? reader.u32le(2) : 0
  const cut = declared > size && declared <= size * 16
  const bytes = (cut ? declared : size) - offset
  const there = size - offset
  const fitted = fitRows(reader, offset, { bytes, there }, depth ? [depth] : depthsOf(offset))
  if (!fitted) return undefined
  const { bits, width, height } = fitted
  const colours = bits <= 8 ? 1 << bits : 0
  const info = {
    ...{ bytes: HEADERS - FILE_HEADER, width, height, topDown: false, bits, compression: 0 },
    ...{ imageSize: bytes, colours, coloursOdd: false, colourBytes: 4, masks: 0, profile: undefined },
  }
  const start = offset - colours * 4
  const gone = colours > 0 && (start < HEADERS || isZero(reader, start, offset))
  // the header is a new one: pixels follow its palette at once
  const at = offset - leastOffset(info)
  const placed = { info, at, offset, sure: true, length: bytes, runs: undefined, holes: [] }
  return {
    placed: { ...placed, paletteLost: gone, profileCut: false },
    header: newHeader(width, height, bits, bytes),
    palette: gone ? grays(bits, 4) : Uint8Array.from(reader.bytes(start, offset - start)),
    from: 'fitted',
    ...(gone ? { paletteFrom: 'standard' as const } : {}),
  }
}

/** Bits of a pixel that go with where pixels begin: a palette says how many colours there are. */
function depthsOf(offset: number): readonly number[] {
  const colours = (offset - HEADERS) / 4
  if (colours === 2) return [1]
  if (colours === 16) return [4]
  return colours === 256 ? [8] : [24, 32]
}

function newHeader(width: number, height: number, bits: number, bytes: number): Uint8Array {
  const header = new Uint8Array(HEADERS - FILE_HEADER)
  const view = new DataView(header.buffer)
  view.setUint32(0, header.length, true)
  view.setUint32(4, width, true)
  view.setUint32(8, height, true)
  view.setUint16(12, 1, true)
  view.setUint16(14, bits, true)
  view.setUint32(20, bytes, true)
  return header
}

function paletteOf(reader: ByteReader, { at, info, offset }: Placed): Uint8Array {
  const start = at + paletteStart(info)
  return Uint8Array.from(reader.bytes(start, offset - start))
}

/** Levels of grey, from black to white. */
function grays(bits: number, colourBytes: number): Uint8Array {
  const colours = 1 << bits
  const level = (i: number): number => Math.round((255 * i) / (colours - 1))
  return Uint8Array.from({ length: colours * colourBytes }, (_, i) =>
    i % colourBytes === 3 ? 0 : level(Math.floor(i / colourBytes)),
  )
}
