import type { HuffmanTables } from '../../../codecs/jpeg/tables.ts'
import type { SizeHint } from '../../../photo/frame/fit-frame.ts'
import type { FrameHeader } from '../../../syntax/jpeg-markers/frame.ts'
import { SOF2 } from '../../../syntax/jpeg-markers/markers.ts'
import type { ScanHeader } from '../../../syntax/jpeg-markers/scan-header.ts'

const LAST_COEFFICIENT = 63

/** The header of one scan of all components, with the tables that encoders number so. */
export function scanOf({ components }: FrameHeader): ScanHeader {
  return {
    components: components.map(({ id }, index) => ({ id, dc: Math.min(index, 1), ac: Math.min(index, 1) })),
    first: 0,
    last: LAST_COEFFICIENT,
    high: 0,
    low: 0,
  }
}

/**
 * Whether a first scan shows that a frame is none of a progressive picture, whose marker is one bit from a sequential one's: no
 * scan of that has DC and AC together, ITU-T T.81 §G.1.1.1.1.
 */
export function isFalselyProgressive(
  { marker }: FrameHeader,
  { first, last, high, low }: ScanHeader,
): boolean {
  return marker === SOF2 && first === 0 && last === LAST_COEFFICIENT && high === 0 && low === 0
}

/** Tables of a component by a scan header, or by the numbers that they usually have. */
export function tablesOf(tables: HuffmanTables, header: ScanHeader | undefined, component: number) {
  const own = header?.components[component]
  const id = component === 0 ? 0 : 1
  const dc = tables.decoding(0, own?.dc ?? id)
  const ac = tables.decoding(1, own?.ac ?? id)
  return dc && ac ? { dc, ac } : undefined
}

/** A size lying and upright. */
export function bothWays({ width, height }: SizeHint): SizeHint[] {
  return [
    { width, height },
    { width: height, height: width },
  ]
}
