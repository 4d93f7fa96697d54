import { KEY_HEADER, keyFields, START_CODE } from '../../../codecs/vp8/key-frame.ts'
import { checkKeyFrame, PARTITION_SLACK } from '../../../codecs/vp8/key-frame-reader.ts'
import { HEADER, losslessHeader, SIGNATURE } from '../../../codecs/vp8l/check-image.ts'
import { Allowance } from '../../../model/allowance.ts'
import { CHUNK_HEADER, FILE_HEADER } from '../read/chunk.ts'
import { checkImage } from '../read/image.ts'
import { frameFields, type Picture } from '../read/picture.ts'
import type { Block } from '../read/walk.ts'

/** Pixels of pictures that are tried for each byte of the file, and besides. */
const PIXELS_PER_BYTE = 64
const PIXELS = 1 << 26
/** The largest first partition that can be told. */
const MOST_FIRST = (1 << 19) - 1
/** Not a frame between key frames, and shown: RFC 6386 §9.1. */
const SHOWN = 0x10

interface Size {
  readonly width: number
  readonly height: number
}

export interface FittedImage {
  readonly bytes: Uint8Array
  readonly at: number
  readonly from: 'fitted' | 'sample'
  readonly sure: boolean
}

/**
 * Puts the header of a picture right that was hit: the one with which its data come to their end. `size`: the canvas's, or a sample's. Undefined
 * where nothing is to be put right, or nothing fits.
 */
export function fitImage(
  bytes: Uint8Array,
  blocks: readonly Block[],
  pictures: readonly Picture[],
  size: (Size & { readonly from: 'fitted' | 'sample' }) | undefined,
): FittedImage | undefined {
  const allowance = new Allowance(PIXELS + bytes.length * PIXELS_PER_BYTE)
  let result: FittedImage | undefined
  for (const picture of pictures) {
    const { image, check, frame } = picture
    if (image.state === 'cut' || check?.state === 'right') continue
    const told = frame ? { ...frameFields(bytes, frame), from: 'fitted' as const } : size
    const fitted = fitHeader(result?.bytes ?? bytes, image.type, image.body, image.length, told, allowance)
    if (!fitted) continue
    const mended = Uint8Array.from(result?.bytes ?? bytes)
    mended.set(fitted.header, image.body)
    result = { bytes: mended, at: image.body, from: fitted.from, sure: true }
  }
  if (result || pictures.length > 0 || !size) return result
  return missingHeader(bytes, blocks, size, allowance)
}

/** The one header, of those that differ from what is there by a bit or by a size that is known, with which a picture comes to its end. */
function fitHeader(
  bytes: Uint8Array,
  type: string,
  at: number,
  length: number,
  size: (Size & { readonly from: 'fitted' | 'sample' }) | undefined,
  allowance: Allowance,
): { readonly header: Uint8Array; readonly from: 'fitted' | 'sample' } | undefined {
  const lossy = type === 'VP8 '
  const count = lossy ? KEY_HEADER : HEADER
  if (length < count) return undefined
  const body = Uint8Array.from(bytes.subarray(at, at + length))
  const own = Uint8Array.from(body.subarray(0, count))
  if (lossy) own.set(START_CODE, 3)
  else own[0] = SIGNATURE
  const comesTo = (header: Uint8Array): boolean => {
    body.set(header)
    return checkImage(type, body, [], allowance)?.state === 'right'
  }
  if (comesTo(own)) return { header: own, from: 'fitted' }
  if (size) {
    const sized = lossy ? withSize(own, size) : losslessHeader(size.width, size.height, (own[4] & 0x10) !== 0)
    if (comesTo(sized)) return { header: sized, from: size.from }
  }
  const fitting: Uint8Array[] = []
  for (let bit = lossy ? 0 : 8; bit < 8 * count; bit++) {
    const header = Uint8Array.from(own)
    header[bit >> 3] ^= 1 << (bit & 7)
    if (comesTo(header)) fitting.push(header)
  }
  // two of the same size in blocks both come to their end
  return fitting.length === 1 ? { header: fitting[0], from: 'fitted' } : undefined
}

function withSize(header: Uint8Array, { width, height }: Size): Uint8Array {
  const sized = Uint8Array.from(header)
  sized.set([width & 0xff, width >> 8, height & 0xff, height >> 8], KEY_HEADER - 4)
  return sized
}

/** Puts the headers of a chunk and its picture where they were, when only the size of the picture is known. */
function missingHeader(
  bytes: Uint8Array,
  blocks: readonly Block[],
  size: Size & { readonly from: 'fitted' | 'sample' },
  allowance: Allowance,
): FittedImage | undefined {
  const at = blocks.find(({ kind }) => kind === 'junk')?.offset ?? FILE_HEADER
  const body = at + CHUNK_HEADER
  if (body + KEY_HEADER >= bytes.length) return undefined
  const lossless = Uint8Array.from(bytes.subarray(body))
  lossless.set(losslessHeader(size.width, size.height, false))
  const type = checkImage('VP8L', lossless, [], allowance)?.state === 'right' ? 'VP8L' : 'VP8 '
  const image = type === 'VP8L' ? lossless : missingKeyFrame(bytes, body, size, allowance)
  if (!image) return undefined
  const mended = Uint8Array.from(bytes)
  const header = new DataView(mended.buffer, at)
  for (let i = 0; i < type.length; i++) header.setUint8(i, type.charCodeAt(i))
  header.setUint32(4, image.length, true)
  mended.set(image, body)
  return { bytes: mended, at, from: size.from, sure: true }
}

function missingKeyFrame(
  bytes: Uint8Array,
  body: number,
  size: Size,
  allowance: Allowance,
): Uint8Array | undefined {
  const frame = Uint8Array.from(bytes.subarray(body))
  const fill = (first: number): void => {
    frame.set([SHOWN | ((first & 7) << 5), (first >> 3) & 0xff, first >> 11])
    frame.set(START_CODE, 3)
    frame.set(withSize(frame.subarray(0, KEY_HEADER), size))
  }
  fill(MOST_FIRST)
  if (!keyFields(frame) || !allowance.take(size.width * size.height)) return undefined
  const modes = checkKeyFrame(frame)?.modesBytes
  for (let first = modes ?? Infinity; first <= (modes ?? 0) + PARTITION_SLACK; first++) {
    fill(first)
    if (checkImage('VP8 ', frame, [], allowance)?.state === 'right') return frame
  }
  return undefined
}
