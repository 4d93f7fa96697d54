import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'

/**
 * Reads differences of DC of the blocks of an MCU that begins at a bit, and where their values are. Returns the bit behind it, or
 * -1.
 */
export interface DifferenceReader {
  pass(position: number, differences: Int16Array, places?: Int32Array): number
}

/** A bit of a difference of DC, and what turning it makes of that. */
export interface DcChange {
  readonly bit: number
  /** The difference as it is coded, and by how much turning the bit changes it, in units of quantised DC. */
  readonly value: number
  readonly change: number
}

/**
 * Bits of the differences of DC of a component in an MCU of the stream, ITU-T T.81 §F.1.2.1: those that follow the code of their
 * number.
 */
export function changesOf(
  { reader, layout, starts }: { reader: DifferenceReader; layout: McuLayout; starts: Uint32Array },
  mcu: number,
  component: number,
): DcChange[] {
  const { blocksPerMcu, componentOf } = layout
  const differences = new Int16Array(blocksPerMcu)
  const places = new Int32Array(blocksPerMcu)
  if (reader.pass(starts[mcu], differences, places) < 0) return []
  const found: DcChange[] = []
  for (let block = 0; block < blocksPerMcu; block++) {
    if (componentOf[block] !== component) continue
    const value = differences[block]
    const size = 32 - Math.clz32(Math.abs(value))
    const least = 1 - 2 ** size
    for (let bit = 0; bit < size; bit++) {
      const coded = (value > 0 ? value : value - least) ^ (1 << bit)
      const other = coded >= 1 << (size - 1) ? coded : coded + least
      found.push({ bit: places[block] + size - 1 - bit, value, change: other - value })
    }
  }
  return found
}
