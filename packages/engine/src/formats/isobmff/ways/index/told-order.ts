import type { ByteReader } from '../../../../bytes/reader.ts'
import { codecNamed } from '../../../../codecs/index.ts'
import { Unit } from '../../../../codecs/recogniser.ts'
import type { PlannedTrack } from '../../write/plan.ts'

/**
 * Pictures of an index read at the most; pairs of neighbours that say something at the least, and the share of them that may
 * differ.
 */
const MOST = 20_000
const LEAST = 4
const DIFFERENT = 0.05

/**
 * Whether pictures, of which the first `most` are read, number themselves in another order than their entries show them in:
 * entries were taken for those of other pictures, or nothing was said of their order. False where the codec does not number its
 * pictures.
 */
export function isShownOtherwise(
  reader: ByteReader,
  { template, table }: Pick<PlannedTrack, 'template' | 'table'>,
  most = MOST,
): boolean {
  const { kind, codec } = template.description
  const recogniser = kind === 'video' ? codecNamed(codec)?.recogniser(template.description) : undefined
  if (recogniser?.orderPeriod === undefined) return false
  const unit = new Unit()
  let compared = 0
  let different = 0
  let last: { readonly row: number; readonly order: number } | undefined
  for (let row = 0; row < Math.min(table.length, most); row++) {
    const offset = table.offset[row]
    if (!recogniser.recognise(reader, offset, offset + table.size[row], unit)) {
      last = undefined
      continue
    }
    recogniser.accept(reader, offset, unit)
    if (last && !unit.restart && unit.order !== last.order) {
      const shown = table.dts[row] + table.cts[row] - table.dts[last.row] - table.cts[last.row]
      compared++
      if (unit.order > last.order !== shown > 0) different++
    }
    last = { row, order: unit.order }
  }
  return compared >= LEAST && different > compared * DIFFERENT
}
