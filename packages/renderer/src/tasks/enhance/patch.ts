import { avGetPixFmtName, type Frame } from 'node-av/lib'
import { pixelFormatOf } from '../../media/pixel-format.ts'

/** Side of the blocks that are compared, in samples of brightness. */
const BLOCK = 16
/** Mean difference of brightness, of 255, from which on a block is not taken for what was there a picture before. */
const STRANGE = 24
/** Share of strange blocks from which on the film shows something else. */
const OTHER_SCENE = 0.6

/**
 * A torn picture with its strange blocks as they were in the picture before; undefined where it is left as it is: all of it differs, as after a
 * cut, nothing does, or its samples are not plain ones of 8 bits with half the colour in both directions.
 */
export function patched(torn: Frame, before: Frame): Frame | undefined {
  if (!/^yuvj?420p$/.test(avGetPixFmtName(pixelFormatOf(torn)) ?? '')) return undefined
  const strange = strangeBlocks(torn, before)
  const count = strange.reduce((sum, flag) => sum + flag, 0)
  if (count === 0 || count > strange.length * OTHER_SCENE) return undefined
  const out = torn.clone()
  if (!out || out.makeWritable() < 0) return undefined
  const columns = Math.ceil(torn.width / BLOCK)
  for (let plane = 0; plane < 3; plane++) {
    const to = out.data?.[plane]
    const from = before.data?.[plane]
    const stride = out.linesize[plane] ?? 0
    const other = before.linesize[plane] ?? 0
    if (!to || !from) return undefined
    const size = plane === 0 ? BLOCK : BLOCK / 2
    const width = plane === 0 ? torn.width : (torn.width + 1) >> 1
    const height = plane === 0 ? torn.height : (torn.height + 1) >> 1
    for (const [block, flag] of strange.entries()) {
      if (flag === 0) continue
      const x = (block % columns) * size
      const top = Math.floor(block / columns) * size
      const length = Math.min(size, width - x)
      for (let y = top; y < Math.min(top + size, height); y++)
        to.set(from.subarray(y * other + x, y * other + x + length), y * stride + x)
    }
  }
  return out
}

/** 1 for each block, row by row, that is not like the one before. */
function strangeBlocks(torn: Frame, before: Frame): Uint8Array {
  const { width, height } = torn
  const columns = Math.ceil(width / BLOCK)
  const sums = new Float64Array(columns * Math.ceil(height / BLOCK))
  const [a] = torn.data ?? []
  const [b] = before.data ?? []
  const [strideA = 0] = torn.linesize
  const [strideB = 0] = before.linesize
  if (!a || !b) return new Uint8Array(sums.length)
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / BLOCK) * columns
    for (let x = 0; x < width; x++) {
      const block = row + Math.floor(x / BLOCK)
      sums[block] = (sums[block] ?? 0) + Math.abs((a[y * strideA + x] ?? 0) - (b[y * strideB + x] ?? 0))
    }
  }
  return Uint8Array.from(sums, (sum) => (sum > STRANGE * BLOCK * BLOCK ? 1 : 0))
}
