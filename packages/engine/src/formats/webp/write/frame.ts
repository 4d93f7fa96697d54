import type { Part } from '../../../bytes/parts.ts'
import type { PictureFate } from '../mend/mend-picture.ts'
import { FRAME_HEADER } from '../read/chunk.ts'
import type { Size } from '../read/image.ts'
import { frameFields } from '../read/picture.ts'
import type { Chunk } from '../read/walk.ts'
import { chunkParts, keptParts, setU24 } from './file.ts'

/** A chunk of a picture, or of its transparency, with new data where it has some; undefined for others. */
export function imageParts(chunk: Chunk, fate: PictureFate): Part[] | undefined {
  const { picture, image, alpha, alphaGone } = fate
  if (chunk === picture.image) return image ? chunkParts(chunk.type, [image]) : imageKept(chunk)
  if (chunk !== picture.alpha) return undefined
  if (alphaGone) return []
  return alpha ? chunkParts(chunk.type, [alpha]) : imageKept(chunk)
}

function imageKept(chunk: Chunk): Part[] {
  return chunk.state === 'cut'
    ? chunkParts(chunk.type, [{ offset: chunk.body, length: chunk.length }])
    : keptParts(chunk)
}

/** A frame of an animation: as it stands, or with the picture's own size, its place within the canvas, and new data. */
export function frameParts(bytes: Uint8Array, frame: Chunk, fate: PictureFate, canvas: Size): Part[] {
  const { picture, image, alpha, alphaGone } = fate
  const header = Uint8Array.from(bytes.subarray(frame.body, frame.body + FRAME_HEADER))
  const placed = placeFrame(bytes, header, fate, canvas)
  const blocksRight = picture.blocks.every((block) => block.kind === 'chunk' && block.state === 'right')
  if (!image && !alpha && !alphaGone && !placed && blocksRight && frame.state !== 'cut')
    return keptParts(frame)
  const inner = picture.blocks.flatMap((block): Part[] => {
    if (block.kind === 'junk') return []
    return imageParts(block, fate) ?? (block.state === 'cut' ? [] : keptParts(block))
  })
  return chunkParts(frame.type, [header, ...inner])
}

/** Puts the size of a frame's picture into its header, and the frame on the canvas; false where both are so. */
function placeFrame(
  bytes: Uint8Array,
  header: Uint8Array,
  { picture: { frame, check } }: PictureFate,
  canvas: Size,
): boolean {
  if (!frame || !check) return false
  const { x, y, width, height } = frameFields(bytes, frame)
  const inside = x + check.width <= canvas.width && y + check.height <= canvas.height
  if (inside && width === check.width && height === check.height) return false
  if (!inside) header.fill(0, 0, 6)
  setU24(header, 6, check.width - 1)
  setU24(header, 9, check.height - 1)
  return true
}
