import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { McuReader } from '../../codecs/jpeg/mcu-reader.ts'
import type { ColouredSection } from '../levels/colour.ts'
import { changesOf } from './dc-changes.ts'

/** MCUs aside of where levels change that the bit may be in. */
const ASIDE = 8

/** The reading of a scan in which bits are looked for. */
interface StepBits {
  readonly reader: McuReader
  readonly layout: McuLayout
  readonly starts: Uint32Array
}

/** By how many units of quantised DC the levels of a section differ from those of the one in front of it, by component. */
function changesAt(sections: readonly ColouredSection[], index: number): Int32Array {
  const before = sections[index - 1]?.dc
  return sections[index].dc.map((value, component) => value - (before?.[component] ?? 0))
}

/**
 * Whether levels of sections that follow each other differ by single units of quantised DC only: by no more than rounding makes
 * of slopes. With coarse tables one unit is some levels, which rows that differ by it jump at once.
 */
export function areUnits(sections: readonly ColouredSection[]): boolean {
  return sections.every((_, index) => changesAt(sections, index).every((change) => Math.abs(change) <= 1))
}

/**
 * Whether levels of sections that follow each other differ by single units only, and no bit makes one of these changes: then they
 * are slopes of the picture's own, rounded.
 */
export function areRounded(sections: readonly ColouredSection[], scan: StepBits): boolean {
  if (!areUnits(sections)) return false
  return sections.every(({ first, count }, index) =>
    changesAt(sections, index).every(
      (change, component) => change === 0 || !madeByBit(scan, first, count, component, change),
    ),
  )
}

/** Whether turning a single bit of a difference of DC around an MCU back adds `change`. */
function madeByBit(scan: StepBits, first: number, count: number, component: number, change: number): boolean {
  for (let mcu = Math.max(0, first - ASIDE); mcu < first + Math.min(count, ASIDE); mcu++)
    if (changesOf(scan, mcu, component).some((each) => each.change === change)) return true
  return false
}
