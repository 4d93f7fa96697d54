import { KEY_HEADER, keyFields, START_CODE } from '../../../codecs/vp8/key-frame.ts'
import { checkKeyFrame } from '../../../codecs/vp8/key-frame-reader.ts'
import { PARTITION_SLACK } from '../../../codecs/vp8/partition-end.ts'
import { HEADER, losslessHeader, SIGNATURE } from '../../../codecs/vp8l/check-image.ts'
import { Allowance } from '../../../model/allowance.ts'
import { CHUNK_HEADER, FILE_HEADER } from '../read/chunk.ts'
import { checkImage, type Size } from '../read/image.ts'
import { frameFields, type Picture } from '../read/picture.ts'
import type { Block } from '../read/walk.ts'

/** Pixels of pictures that are tried for each byte of the file, and besides. */
const PIXELS_PER_BYTE = 32
const PIXELS = 1 << 23
/** Bytes in front of a picture's own header in which one is looked for. */
const MOST_FRONT = 64
/** The largest first partition that can be told. */
const MOST_FIRST = (1 << 19) - 1
/** Not a frame between key frames, and shown: RFC 6386 §9.1. */
const SHOWN = 0x10

/** A picture's size by what tells of it. */
export interface KnownSize extends Size {
  readonly from: 'fitted' | 'sample'
  /** The picture is transparent; undefined where nothing tells. */
  readonly transparent: boolean | undefined
}

export interface FittedImage {
  readonly bytes: Uint8Array
  readonly at: number
  readonly from: 'fitted' | 'sample'
  readonly sure: boolean
  /** The picture has another place than in the damaged file, of which the beginning is missing. */
  readonly shifted: boolean
}

/**
 * Puts the header of a picture right that was hit: the one with which its data come to their end. `size`: the canvas's, or a
 * sample's. Undefined where nothing is to be put right, or nothing fits.
 */
export function fitImage(
  bytes: Uint8Array,
  blocks: readonly Block[],
  pictures: readonly Picture[],
  size: KnownSize | undefined,
): FittedImage | undefined {
  const allowance = new Allowance(PIXELS + bytes.length * PIXELS_PER_BYTE)
  let result: FittedImage | undefined
  for (const picture of pictures) {
    const { image, check, frame } = picture
    if (image.state === 'cut' || check?.state === 'right') continue
    // of an animation that is transparent, any frame may be
    const transparent = size?.transparent === false ? false : undefined
    const told = frame ? { ...frameFields(bytes, frame), from: 'fitted' as const, transparent } : size
    const fitted = fitHeader(result?.bytes ?? bytes, image.type, image.body, image.length, told, allowance)
    if (!fitted) continue
    const mended = Uint8Array.from(result?.bytes ?? bytes)
    mended.set(fitted.header, image.body)
    result = { bytes: mended, at: image.body, from: fitted.from, sure: fitted.sure, shifted: false }
  }
  if (result || pictures.length > 0) return result
  return bareImage(bytes, blocks, allowance) ?? (size && missingHeader(bytes, blocks, size, allowance))
}

/**
 * The one header, of those that differ from what is there by a bit or by a size that is known, with which a picture comes to its
 * end.
 */
function fitHeader(
  bytes: Uint8Array,
  type: string,
  at: number,
  length: number,
  size: KnownSize | undefined,
  allowance: Allowance,
): (Pick<FittedImage, 'from' | 'sure'> & { readonly header: Uint8Array }) | undefined {
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
  if (comesTo(own)) return { header: own, from: 'fitted', sure: true }
  if (size) {
    const { width, height, from, transparent } = size
    const sized = lossy
      ? withSize(own, size)
      : losslessHeader(width, height, transparent ?? (own[HEADER - 1] & 0x10) !== 0)
    if (comesTo(sized)) return { header: sized, from, sure: lossy || transparent !== undefined }
  }
  // a lossless picture comes to its end too easily
  if (!lossy) return undefined
  const near = Array.from({ length: 8 * count }, (_, bit) => {
    const header = Uint8Array.from(own)
    header[bit >> 3] ^= 1 << (bit & 7)
    return header
  })
  // small pictures first: a few of the largest would take the whole allowance
  const fitting = near.sort((one, other) => areaOf(one) - areaOf(other)).filter(comesTo)
  // two of the same size in blocks both come to their end
  return fitting.length === 1 ? { header: fitting[0], from: 'fitted', sure: true } : undefined
}

function areaOf(header: Uint8Array): number {
  const fields = keyFields(header)
  return fields ? fields.width * fields.height : Infinity
}

function withSize(header: Uint8Array, { width, height }: Size): Uint8Array {
  const sized = Uint8Array.from(header)
  sized.set([width & 0xff, width >> 8, height & 0xff, height >> 8], KEY_HEADER - 4)
  return sized
}

/** A picture whose chunk has lost its header, or stood behind a beginning that is gone. */
function bareImage(
  bytes: Uint8Array,
  blocks: readonly Block[],
  allowance: Allowance,
): FittedImage | undefined {
  const at = blocks.find(({ kind }) => kind === 'junk')?.offset ?? FILE_HEADER
  for (const body of [at + CHUNK_HEADER, ...Array.from({ length: MOST_FRONT }, (_, i) => i)]) {
    const image = bytes.subarray(body)
    if (keyFields(image) && (checkImage('VP8 ', image, [], allowance)?.there ?? 0) > 0)
      return placedImage(bytes, 'VP8 ', body, image, 'fitted')
    if (image[0] === SIGNATURE && checkImage('VP8L', image, [], allowance)?.state === 'right')
      return placedImage(bytes, 'VP8L', body, image, 'fitted')
  }
  return undefined
}

/** Puts the headers of a chunk and its picture where they were, when only the size of the picture is known. */
function missingHeader(
  bytes: Uint8Array,
  blocks: readonly Block[],
  size: KnownSize,
  allowance: Allowance,
): FittedImage | undefined {
  const body = (blocks.find(({ kind }) => kind === 'junk')?.offset ?? FILE_HEADER) + CHUNK_HEADER
  if (body + KEY_HEADER >= bytes.length) return undefined
  const lossless = Uint8Array.from(bytes.subarray(body))
  lossless.set(losslessHeader(size.width, size.height, size.transparent ?? false))
  if (checkImage('VP8L', lossless, [], allowance)?.state === 'right')
    return { ...placedImage(bytes, 'VP8L', body, lossless, size.from), sure: size.transparent !== undefined }
  const lossy = missingKeyFrame(bytes, body, size, allowance)
  return lossy && placedImage(bytes, 'VP8 ', body, lossy, size.from)
}

/** The file with a picture as the body of a chunk, which begins where it stands where there is room for its header. */
function placedImage(
  bytes: Uint8Array,
  type: string,
  body: number,
  image: Uint8Array,
  from: FittedImage['from'],
): FittedImage {
  const room = Math.max(body, FILE_HEADER + CHUNK_HEADER)
  const mended = new Uint8Array(room + image.length)
  mended.set(bytes.subarray(0, body), room - body)
  mended.set(image, room)
  const at = room - CHUNK_HEADER
  for (let i = 0; i < type.length; i++) mended[at + i] = type.charCodeAt(i)
  new DataView(mended.buffer).setUint32(at + 4, image.length, true)
  return { bytes: mended, at: Math.min(body, bytes.length), from, sure: true, shifted: room !== body }
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
