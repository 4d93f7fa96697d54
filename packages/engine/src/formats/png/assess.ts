import type { Limits } from '../../bytes/limits.ts'
import { readWhole } from '../../bytes/read-whole.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { finding } from './findings.ts'
import { fitHeader } from './mend/fit-header.ts'
import { isPalette, profilesToInflate, type SettledChunk, settleChunk } from './mend/settle-chunk.ts'
import { settleControls } from './mend/settle-controls.ts'
import { type HitByte, hitByte, putIn } from './mend/solve-checksum.ts'
import { type CheckedFrame, checkFrame } from './read/check-frame.ts'
import { type Chunk, u32 } from './read/chunk.ts'
import { CONTROL_LENGTH, type Frame, fileOffset, framesOf } from './read/frames.ts'
import { type Header, PALETTE, readHeader } from './read/header.ts'
import { beforeTextMode } from './read/text-mode.ts'
import { type Walk, walk } from './read/walk.ts'

/** Where a picture's header comes from, and whether it is beyond doubt. */
export interface SettledHeader {
  readonly header: Header
  readonly from: 'file' | 'fitted' | 'sample'
  /** As it stands in the file. */
  readonly told: boolean
  readonly sure: boolean
}

/** A file read as far as it can be. */
export interface Assessment {
  readonly findings: Findings
  /**
   * The file, before a transfer as text where that changed it, with bytes put right, and without bytes put in, that checksums
   * gave away.
   */
  readonly bytes: Uint8Array
  readonly textMode: boolean
  /** Its bytes lie elsewhere than in the file. */
  readonly moved: boolean
  readonly walk: Walk
  /** All chunks but those of image data. */
  readonly settled: ReadonlyMap<Chunk, SettledChunk>
  readonly header: SettledHeader | undefined
  readonly frames: readonly CheckedFrame[]
  /** The colours of a picture that has to have some; undefined where they are gone. */
  readonly palette: SettledChunk | undefined
  readonly healthy: boolean
}

/** Image data of a chunk up to which a byte that its checksum gives away is believed before the data themselves confirm it. */
const SURELY_SOLVED = 1 << 16

/** Reads a file and holds every chunk against its checksum, and the image data against the picture's size. @throws LimitError */
export async function assess(
  reader: ByteReader,
  limits: Limits,
  monitor: Monitor,
  sample?: Header,
): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  const read = readWhole(reader, limits)
  const undone = beforeTextMode(read)
  let bytes = undone ?? read
  if (undone)
    findings.add(finding('textMode', 'each line feed has a carriage return in front', { offset: 0 }))
  let found = walk(bytes.subarray(0, filled(bytes)))
  const foreign = found.chunks.flatMap((chunk) => putIn(bytes, chunk) ?? [])
  if (foreign.length > 0) {
    for (const place of foreign)
      findings.add(finding('putIn', 'bytes were put in among the data of a chunk', place))
    bytes = without(bytes, foreign)
    found = walk(bytes.subarray(0, filled(bytes)))
  }
  const { chunks } = found
  reportWalk(found, bytes.length, findings)
  const settled = new Map<Chunk, SettledChunk>()
  const profiles = profilesToInflate()
  for (const chunk of chunks) {
    reportChunk(chunk, bytes.length, findings)
    if (!isImageData(chunk)) settled.set(chunk, settleChunk(bytes, chunk, profiles))
    await monitor.pause()
  }
  const hits = chunks
    .filter((chunk) => isImageData(chunk) && chunk.crc === 'wrong')
    .flatMap((chunk) => solved(bytes, chunk))
  let mended = patched(bytes, hits)
  const header = settleHeader(mended, chunks, settled, sample)
  const outside = header ? settleControls(settled, header.header) : []
  for (const { offset } of outside)
    findings.add(finding('animation', 'a picture of the animation reaches out of the image', { offset }))
  const controlOf = (chunk: Chunk): Uint8Array => settled.get(chunk)?.data ?? new Uint8Array(CONTROL_LENGTH)
  const check = async (): Promise<CheckedFrame[]> =>
    header ? checkAll(framesOf(mended, chunks, header.header, controlOf), header.header, monitor) : []
  let frames = await check()
  if (frames.some(({ whole }) => !whole) && hits.some(({ sure }) => !sure)) {
    mended = patched(
      bytes,
      hits.filter(({ sure }) => sure),
    )
    frames = await check()
  }
  if (!header)
    findings.add(
      finding('header', 'nothing tells the size of the picture', { offset: Math.min(8, bytes.length) }),
    )
  else if (!header.told)
    findings.add(finding('header', 'the header was hit or is missing', { offset: Math.min(8, bytes.length) }))
  for (const frame of frames) reportFrame(frame, findings)
  if (!frames.some(({ frame }) => frame.kind === 'IDAT'))
    findings.add(finding('noPicture', 'there are no image data'))
  const palette = [...settled.values()].find(
    (each) => each.chunk.type === 'PLTE' && each.fate !== 'drop' && header && isPalette(each, header.header),
  )
  if (header?.header.colour === PALETTE && !palette) findings.add(finding('palette', 'there is no palette'))
  reportAnimation(bytes, chunks, frames.length, findings)
  return {
    ...{
      findings,
      bytes: mended,
      textMode: undone !== undefined,
      moved: undone !== undefined || foreign.length > 0,
      walk: found,
      settled,
      header,
      frames,
      palette,
    },
    healthy: findings.healthy,
  }
}

function without(bytes: Uint8Array, regions: readonly Region[]): Uint8Array {
  const kept = new Uint8Array(bytes.length - regions.reduce((sum, { length }) => sum + length, 0))
  let from = 0
  let to = 0
  for (const { offset, length } of [...regions, { offset: bytes.length, length: 0 }]) {
    kept.set(bytes.subarray(from, offset), to)
    to += offset - from
    from = offset + length
  }
  return kept
}

/** Zeros at the end that may belong to what stands in front of them. */
const FEW_ZEROS = 8

/** Bytes of a file without the zeros at its end, which were never written: that none of them is searched through. */
function filled(bytes: Uint8Array): number {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return Math.min(bytes.length, end + FEW_ZEROS)
}

export function isImageData({ type }: Chunk): boolean {
  return type === 'IDAT' || type === 'fdAT'
}

function solved(bytes: Uint8Array, chunk: Chunk): (HitByte & { readonly sure: boolean })[] {
  const hit = hitByte(bytes, chunk)
  return hit ? [{ ...hit, sure: chunk.length <= SURELY_SOLVED }] : []
}

function patched(bytes: Uint8Array, hits: readonly HitByte[]): Uint8Array {
  if (hits.length === 0) return bytes
  const copy = Uint8Array.from(bytes)
  for (const { offset, value } of hits) copy[offset] = value
  return copy
}

async function checkAll(frames: readonly Frame[], header: Header, monitor: Monitor): Promise<CheckedFrame[]> {
  const checked: CheckedFrame[] = []
  for (const frame of frames) {
    if (frame.width === 0 || frame.height === 0) continue
    checked.push(await checkFrame(frame, header, monitor))
    monitor.progress('survey', checked.length / frames.length)
  }
  return checked
}

/** The header as the file has it, else as the image data ask for it. */
function settleHeader(
  bytes: Uint8Array,
  chunks: readonly Chunk[],
  settled: ReadonlyMap<Chunk, SettledChunk>,
  sample: Header | undefined,
): SettledHeader | undefined {
  const chunk = chunks.find(({ type }) => type === 'IHDR')
  const own = chunk && settled.get(chunk)
  const told = own && readHeader(own.data)
  if (told && own.cost === 'none')
    return { header: told, from: 'file', told: own.fate === 'keep', sure: true }
  const [frame] = framesOf(bytes, chunks, told)
  if (frame?.kind !== 'IDAT') return undefined
  const fitted = fitHeader(bytes, frame.stream, { chunk, chunks, sample })
  if (!fitted) return undefined
  const { header, proven: sure } = fitted
  return { header, from: sample ? 'sample' : 'fitted', told: false, sure }
}

function reportWalk(found: Walk, size: number, findings: Findings): void {
  const { signature, start, chunks, junk, end, ended } = found
  if (!signature) findings.add(finding('signature', 'the file does not begin as PNG', { offset: 0 }))
  for (const { offset, length } of junk)
    findings.add(finding('junk', `${length} bytes belong to no chunk`, { offset, length }))
  if (!ended && chunks.length > 0)
    findings.add(finding('end', 'the end of the image is missing', { offset: end }))
  if (chunks.length === 0) findings.add(finding('noPicture', 'there are no chunks', { offset: start }))
  if (ended && end < size)
    findings.add(finding('trailing', `${size - end} bytes behind the image`, { offset: end }))
}

function reportChunk(chunk: Chunk, size: number, findings: Findings): void {
  const { type, offset, length, crc, typeHit, lengthHit } = chunk
  const place = { offset, length: Math.min(length + 12, size - offset) }
  if (typeHit) findings.add(finding('chunkHead', `the type of a chunk ${type} was hit`, place))
  if (lengthHit) findings.add(finding('chunkHead', `the length of a chunk ${type} is not ${length}`, place))
  if (crc === 'wrong') findings.add(finding('checksum', `the checksum of a chunk ${type} is wrong`, place))
  if (crc === 'missing') findings.add(finding('truncated', `the file ends within a chunk ${type}`, place))
}

function reportFrame(checked: CheckedFrame, findings: Findings): void {
  const { frame, plain, wanted, end, symbolEnd, checked: agrees, whole } = checked
  if (whole) return
  const offset = fileOffset(frame, symbolEnd >> 3)
  if (end === 'cut' || plain.length < wanted)
    findings.add(
      finding('truncated', `${plain.length} of ${wanted} bytes of a picture are there`, { offset }),
    )
  else if (end === 'whole' && agrees === false)
    findings.add(finding('dataChecksum', 'the checksum of the image data is wrong', { offset }))
  else findings.add(finding('data', 'the image data break off or go on too long', { offset }))
}

/** Whether an animation's frames are counted and numbered as §11.3.6 asks for. */
function reportAnimation(
  bytes: Uint8Array,
  chunks: readonly Chunk[],
  frames: number,
  findings: Findings,
): void {
  const control = chunks.find(({ type }) => type === 'acTL')
  const animated = chunks.filter(({ type }) => type === 'fcTL' || type === 'fdAT')
  if (!control) {
    if (animated.length > 0) findings.add(finding('animation', 'the control of the animation is missing'))
    return
  }
  const counted = chunks.filter(({ type, length }) => type === 'fcTL' && length === CONTROL_LENGTH).length
  if (control.length === 8 && u32(bytes, control.body) !== counted)
    findings.add(finding('animation', `${counted} of ${u32(bytes, control.body)} pictures are there`))
  else if (frames < counted) findings.add(finding('animation', `${frames} of ${counted} pictures have data`))
  else if (animated.some(({ body }, i) => u32(bytes, body) !== i))
    findings.add(finding('animation', 'pictures of the animation are out of order'))
}
