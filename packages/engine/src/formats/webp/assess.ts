import type { Limits } from '../../bytes/limits.ts'
import { readWhole } from '../../bytes/read-whole.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { Allowance } from '../../model/allowance.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { finding } from './findings.ts'
import { type FittedImage, fitImage } from './mend/fit-image.ts'
import {
  CONTROL_BYTES,
  FEATURES_BYTES,
  FILE_HEADER,
  nextChunk,
  TRANSPARENT,
  text,
  typeMeant,
  u24,
  u32,
} from './read/chunk.ts'
import type { Effort, Size } from './read/image.ts'
import { frameFields, type Picture, picturesOf } from './read/picture.ts'
import { type Block, type Chunk, walkChunks } from './read/walk.ts'

/** Pixels that are read besides those that bytes stand for: the largest picture there is, once. */
const MOST_PIXELS = 1 << 28
/** Pixels that are read for each byte of the file. */
const PIXELS_PER_BYTE = 256
/** Pictures in vain: so many, and one for so many bytes of the file. More than any file has whose sizes were hit. */
const FAILURES = 1_000
const BYTES_A_FAILURE = 1 << 12
/** Pixels of the largest canvas, RFC 9649 §2.7. */
const MOST_CANVAS = 2 ** 32 - 1
/** Zeros at the end from which on nothing was written there. */
const LEAST_ZEROS = 16

/** What the features chunk says, RFC 9649 §2.7. */
export interface Features extends Size {
  readonly flags: number
}

/** A file read as far as it can be. */
export interface Assessment {
  readonly findings: Findings
  /** The file, with a picture's header put right or in front where that was hit. */
  readonly bytes: Uint8Array
  /** `RIFF` and `WEBP` are as they should be. */
  readonly signature: boolean
  readonly blocks: readonly Block[]
  readonly pictures: readonly Picture[]
  readonly features: Features | undefined
  /** Where the file ends by what its head or its chunks say; data behind it are no part of it. */
  readonly end: number
  /** Whether a picture's header was put together anew, and from what. */
  readonly fitted: FittedImage | undefined
}

/** Reads a file chunk by chunk, and its pictures symbol by symbol. @throws LimitError */
export async function assess(
  reader: ByteReader,
  limits: Limits,
  monitor: Monitor,
  sample?: Size,
): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  const read = readWhole(reader, limits)
  const effort = {
    pixels: new Allowance(MOST_PIXELS + read.length * PIXELS_PER_BYTE),
    failures: new Allowance(FAILURES + Math.floor(read.length / BYTES_A_FAILURE)),
  }
  await monitor.pause()
  const signature = text(read, 0) === 'RIFF' && text(read, 8) === 'WEBP'
  const own = layoutOf(read, signature, effort)
  await monitor.pause()
  const canvas = featuresOf(read, own)
  const size = canvas
    ? { ...canvas, from: 'fitted' as const, transparent: (canvas.flags & TRANSPARENT) !== 0 }
    : sample && { ...sample, from: 'sample' as const, transparent: undefined }
  const mended = fitImage(read, own.blocks, own.pictures, size)
  const bytes = mended?.bytes ?? read
  const { blocks, pictures, end } = mended ? layoutOf(bytes, signature, effort) : own
  const features = mended ? featuresOf(bytes, { blocks, pictures }) : canvas
  await monitor.pause()
  if (!signature) findings.add(finding('signature', 'the signature was hit or is missing', 0))
  else if (u32(read, 4) + 8 > read.length || u32(read, 4) + 9 < end)
    findings.add(finding('fileSize', `the head tells of ${u32(read, 4) + 8} bytes`, 4))
  if (mended) findings.add(finding('header', 'the header of a picture was hit or is missing', mended.at))
  reportBlocks(blocks, findings)
  for (const picture of pictures) {
    if (picture.frame) reportBlocks(picture.blocks, findings)
    reportPicture(bytes, picture, features, findings)
  }
  const still = pictures.find(({ frame }) => !frame)
  const layered = blocks.some((block) => block.kind === 'chunk' && NEEDS_FEATURES.has(block.type))
  if (features && still?.check && !fits(features, still.check))
    findings.add(finding('features', 'the canvas has another size than the picture', 0))
  else if (layered && !features) findings.add(finding('features', 'what tells of the canvas is gone', 0))
  if (!pictures.some(({ check }) => check && check.there > 0))
    findings.add(finding('noPicture', 'there is no picture'))
  if (end < bytes.length)
    findings.add(finding('trailing', `${bytes.length - end} bytes behind the file's end`, end))
  return { findings, bytes, signature, blocks, pictures, features, end, fitted: mended }
}

const NEEDS_FEATURES: ReadonlySet<string> = new Set(['ALPH', 'ANIM', 'ANMF'])

export function fits(one: Size, other: Size): boolean {
  return one.width === other.width && one.height === other.height
}

interface Layout {
  readonly blocks: readonly Block[]
  readonly pictures: readonly Picture[]
  readonly end: number
}

/** Chunks up to where the head says that the file ends, where they come to that; else up to where it does. */
function layoutOf(bytes: Uint8Array, signature: boolean, effort: Effort): Layout {
  const written = writtenEnd(bytes)
  const from = signature ? FILE_HEADER : beginning(bytes)
  const told = u32(bytes, 4) + 8
  if (signature && told > from && told <= bytes.length) {
    const blocks = walkChunks(bytes, from, told, effort)
    const pictures = picturesOf(bytes, blocks, effort)
    const tight = blocks.every((block) => block.kind === 'chunk' && block.state !== 'cut')
    const right = pictures.length > 0 && pictures.every(({ check }) => check?.state === 'right')
    const whole = told <= written && pictures.some(({ check }) => check?.whole)
    if (tight && (right || whole)) return { blocks, pictures, end: told }
  }
  const blocks = walkChunks(bytes, from, written, effort)
  const pictures = picturesOf(bytes, blocks, effort)
  const last = blocks.findLast((block) => block.kind === 'chunk')
  // what nothing leads to behind the last chunk stays, but is none of it
  const end = last && last.state !== 'cut' ? last.end : bytes.length
  return { blocks: blocks.filter(({ offset }) => offset < end), pictures, end }
}

/** The first chunk of a file without its signature: behind a head that was hit, or of which a part is missing. */
function beginning(bytes: Uint8Array): number {
  const first = nextChunk(bytes, 0, bytes.length)
  const control = first - CONTROL_BYTES
  if (control >= 0 && typeMeant(bytes, control) === 'ANIM') return control
  return first < bytes.length ? first : Math.min(FILE_HEADER, bytes.length)
}

/** Where zeros begin that go on to the end of the file. */
function writtenEnd(bytes: Uint8Array): number {
  const written = bytes.findLastIndex((byte) => byte !== 0) + 1
  return bytes.length - written >= LEAST_ZEROS ? written : bytes.length
}

/** What the features chunk says, or the body of one, without its header, in front of the first chunk that is left. */
function featuresOf(
  bytes: Uint8Array,
  { blocks, pictures }: Pick<Layout, 'blocks' | 'pictures'>,
): Features | undefined {
  const chunk = blocks.find((block): block is Chunk => block.kind === 'chunk' && block.type === 'VP8X')
  if (chunk && chunk.length >= FEATURES_BYTES) {
    const told = featuresAt(bytes, chunk.body)
    return told.width * told.height <= MOST_CANVAS ? told : undefined
  }
  const next = blocks.find((block): block is Chunk => block.kind === 'chunk')
  // in front of the first frame of an animation stands how it is shown, RFC 9649 §2.7.1.1, and in front of that the canvas
  const between = next?.type === 'ANMF' ? CONTROL_BYTES : 0
  const body = (next?.offset ?? 0) - between - FEATURES_BYTES
  const found = body < 0 || u24(bytes, body + 1) !== 0 ? undefined : featuresAt(bytes, body)
  const [first] = pictures
  if (!found || !first?.check || chunk) return undefined
  if (first.frame)
    return found.width >= first.check.width && found.height >= first.check.height ? found : undefined
  return fits(found, first.check) ? found : undefined
}

function featuresAt(bytes: Uint8Array, body: number): Features {
  return { flags: bytes[body], width: u24(bytes, body + 4) + 1, height: u24(bytes, body + 7) + 1 }
}

function reportBlocks(blocks: readonly Block[], findings: Findings): void {
  for (const block of blocks) {
    if (block.kind === 'junk') findings.add(finding('junk', 'bytes that belong to no chunk', block.offset))
    else if (block.state === 'type')
      findings.add(finding('type', `the type of a chunk ${block.type} was hit`, block.offset))
    else if (block.state === 'size')
      findings.add(finding('size', `the size of a chunk ${block.type} was hit`, block.offset))
    else if (block.state === 'cut')
      findings.add(finding('truncated', `a chunk ${block.type} breaks off`, block.offset))
  }
}

function reportPicture(
  bytes: Uint8Array,
  { frame, image, check, alpha, alphaCheck }: Picture,
  features: Features | undefined,
  findings: Findings,
): void {
  if (!check) {
    findings.add(finding('data', 'the data of a picture do not begin as one', image.offset))
    return
  }
  const { there, total, state } = check
  if (state === 'torn') findings.add(finding('torn', 'something in a picture was hit', image.offset))
  else if (state === 'short')
    findings.add(finding('data', `${there} of ${total} parts of a picture can be read`, image.offset))
  if (alpha && alphaCheck && !alphaCheck.right)
    findings.add(finding('alpha', 'a transparency breaks off', alpha.offset))
  if (!frame) return
  const fields = frameFields(bytes, frame)
  const inside =
    !features || (fields.x + check.width <= features.width && fields.y + check.height <= features.height)
  if (!fits(fields, check) || !inside)
    findings.add(finding('frame', 'a frame has another size than its picture', frame.offset))
}
