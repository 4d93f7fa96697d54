import type { Hole } from '../../../codecs/vp8/key-frame-reader.ts'
import type { Allowance } from '../../../model/allowance.ts'
import { FRAME_HEADER, u24 } from './chunk.ts'
import { checkAlphaImage, checkImage, type Effort, type ImageCheck, type Size, zeroHoles } from './image.ts'
import { type Block, type Chunk, frameBlocks } from './walk.ts'

/** A picture of the file: the photo, or a frame of an animation. */
export interface Picture {
  /** The chunk of an animation that holds it. */
  readonly frame: Chunk | undefined
  /** What the frame holds besides, in its order. */
  readonly blocks: readonly Block[]
  readonly image: Chunk
  readonly alpha: Chunk | undefined
  /** Undefined where its data do not begin as a picture. */
  readonly check: ImageCheck | undefined
  readonly holes: readonly Hole[]
  readonly alphaCheck: AlphaCheck | undefined
}

interface AlphaCheck {
  readonly right: boolean
  /** How far it can be read; undefined where it is not coded. */
  readonly image: ImageCheck | undefined
}

/** Where a frame lies on the canvas and how long it is shown, RFC 9649 §2.7.1.1. */
interface FrameFields extends Size {
  readonly x: number
  readonly y: number
}

export function frameFields(bytes: Uint8Array, { body }: Chunk): FrameFields {
  return {
    x: 2 * u24(bytes, body),
    y: 2 * u24(bytes, body + 3),
    width: u24(bytes, body + 6) + 1,
    height: u24(bytes, body + 9) + 1,
  }
}

/** All pictures of a file in their order. */
export function picturesOf(bytes: Uint8Array, blocks: readonly Block[], effort: Effort): Picture[] {
  const pictures: Picture[] = []
  const still = pictureIn(bytes, undefined, blocks, effort.pixels)
  if (still) pictures.push(still)
  for (const block of blocks) {
    if (block.kind !== 'chunk' || block.type !== 'ANMF' || block.length < FRAME_HEADER) continue
    const inner = pictureIn(bytes, block, frameBlocks(bytes, block, effort), effort.pixels)
    if (inner) pictures.push(inner)
  }
  return pictures
}

function pictureIn(
  bytes: Uint8Array,
  frame: Chunk | undefined,
  blocks: readonly Block[],
  allowance: Allowance,
): Picture | undefined {
  const chunks = blocks.filter((block) => block.kind === 'chunk')
  const image = chunks.find(({ type }) => type === 'VP8 ' || type === 'VP8L')
  if (!image) return undefined
  const alpha = image.type === 'VP8 ' ? chunks.find(({ type }) => type === 'ALPH') : undefined
  const body = bodyOf(bytes, image)
  const whole = checkImage(image.type, body, [], allowance)
  const found = whole && whole.state !== 'right' ? zeroHoles(whole.type, body) : []
  const check = found.length > 0 ? checkImage(image.type, body, found, allowance) : whole
  return {
    ...{ frame, blocks, image, alpha, check, holes: found },
    alphaCheck: alpha && check && checkAlpha(bodyOf(bytes, alpha), check, allowance),
  }
}

export function bodyOf(bytes: Uint8Array, { body, length }: Chunk): Uint8Array {
  return bytes.subarray(body, body + length)
}

/** Reads a transparency, RFC 9649 §2.7.1.2. */
function checkAlpha(body: Uint8Array, { width, height }: ImageCheck, allowance: Allowance): AlphaCheck {
  if (body.length === 0 || !allowance.take(width * height)) return { right: false, image: undefined }
  const compression = body[0] & 3
  if (compression === 0) return { right: body.length - 1 >= width * height, image: undefined }
  if (compression > 1) return { right: false, image: undefined }
  const image = checkAlphaImage(body.subarray(1), width, height)
  return { right: image.state === 'right', image }
}
