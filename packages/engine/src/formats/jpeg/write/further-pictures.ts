import { readPictureIndex } from '../read/picture-index.ts'

/** By how many bytes a further picture became longer, or shorter. */
export interface Grown {
  /** Where it began, from the start of the first picture on. */
  readonly at: number
  readonly by: number
}

/**
 * Corrects the index of further pictures that a repaired first one carries, now that it or one of them is longer or shorter:
 * `before` are the bytes it had, `parts` those it has; of what follows, `grown` alone has another length. Parts without such an
 * index are handed back as they are.
 */
export function correctFurtherPictures(
  before: Uint8Array,
  parts: readonly Uint8Array[],
  grown: readonly Grown[],
): readonly Uint8Array[] {
  const old = readPictureIndex([before])
  const index = readPictureIndex(parts)
  if (!old || !index) return parts
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const shift = length - before.length - (index.at - old.at)
  const copy = Uint8Array.from(parts[index.part])
  const tiff = new DataView(copy.buffer, index.within)
  for (const [picture, entry] of index.entries.entries()) {
    if (picture === 0) tiff.setUint32(entry.field, length, index.little)
    else if (entry.offset > 0) {
      const at = entry.offset + old.at
      const moved = grown.reduce((sum, other) => (other.at < at ? sum + other.by : sum), shift)
      const own = grown.find((other) => other.at === at)
      tiff.setUint32(entry.field, entry.length + (own?.by ?? 0), index.little)
      tiff.setUint32(entry.field + 4, entry.offset + moved, index.little)
    }
  }
  return parts.with(index.part, copy)
}
