import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import type { Gap } from '../read/walk.ts'
import { type HoleLoss, NOTHING } from './losses.ts'

/** Zero bytes where a header should begin that show it to be overwritten. */
const OVERWRITTEN = 16

/**
 * The losses, of which none is certain that may be larger for bytes that were taken out of the file: what is left of a hole tells
 * nothing of those, nor do turns of sound and pictures, which are the same again and again. Pictures' own numbers do, and so does
 * `taken`, see `Walk`. Where a hole begins with zeros it was overwritten, and all its bytes are there.
 */
export function withTakenBytes(
  reader: ByteReader,
  losses: ReadonlyMap<number, HoleLoss>,
  gaps: readonly Gap[],
  taken: number | undefined,
): ReadonlyMap<number, HoleLoss> {
  if (taken === 0) return losses
  const result = new Map(losses)
  for (const { offset, end } of gaps) {
    const loss = losses.get(offset) ?? NOTHING
    const isOverwritten = end - offset >= OVERWRITTEN && isZero(reader, offset, offset + OVERWRITTEN)
    if (!loss.numbered && !isOverwritten) result.set(offset, { ...loss, certain: false })
  }
  return result
}
