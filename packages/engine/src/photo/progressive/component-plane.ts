import { BLOCK_COEFFICIENTS, type LayoutComponent, McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { DcPlane } from './mend-progressive.ts'

/**
 * One component of a picture as a picture of its own, whose MCUs are its blocks in the order in which a scan of it alone has
 * them, ITU-T T.81 §A.2.2.
 */
export function componentPlane({ layout, quantisation, coefficients }: DcPlane, index: number): DcPlane {
  const component = layout.components[index]
  const across = Math.ceil((layout.width * component.h * 8) / layout.mcuPixelsWide)
  const down = Math.ceil((layout.height * component.v * 8) / layout.mcuPixelsHigh)
  const own = new McuLayout(across, down, [component])
  const plane = new Int16Array(own.mcuCount * own.mcuLength)
  for (let block = 0; block < own.mcuCount; block++) {
    const from = offsetOf(layout, component, block)
    plane.set(coefficients.subarray(from, from + BLOCK_COEFFICIENTS), block * own.mcuLength)
  }
  return { layout: own, quantisation: [quantisation[index]], coefficients: plane }
}

/** Writes DC of a component's plane back to the picture: that of each block. */
export function writeComponent(plane: Int16Array, { layout, coefficients }: DcPlane, index: number): void {
  const component = layout.components[index]
  const blocks = component.blocksWide * component.blocksHigh
  for (let block = 0; block < blocks; block++)
    coefficients[offsetOf(layout, component, block)] = plane[block * BLOCK_COEFFICIENTS]
}

/** MCUs of the picture that hold those blocks of a component that are marked. */
export function mcusOf(marks: Uint8Array, layout: McuLayout, index: number): Uint8Array {
  const component = layout.components[index]
  const mcus = new Uint8Array(layout.mcuCount)
  marks.forEach((mark, block) => {
    if (mark !== 0) mcus[Math.floor(offsetOf(layout, component, block) / layout.mcuLength)] = 1
  })
  return mcus
}

/**
 * Fills DC of blocks of a plane of one component where it is missing: between the nearest ones above and below that have it, or
 * beside where a column has none.
 */
export function fillDc(plane: Int16Array, missing: Uint8Array, { mcuWide, mcuHigh }: McuLayout): void {
  const left = missing.slice()
  for (let column = 0; column < mcuWide; column++) fillLine(plane, left, column, mcuWide, mcuHigh)
  for (let row = 0; row < mcuHigh; row++) fillLine(plane, left, row * mcuWide, 1, mcuWide)
}

/** Fills what is missing in a line of `count` blocks, each `step` behind the one before, where any of them has DC. */
function fillLine(plane: Int16Array, missing: Uint8Array, first: number, step: number, count: number): void {
  const dc = (i: number): number => plane[(first + i * step) * BLOCK_COEFFICIENTS]
  let before = -1
  for (let i = 0; i <= count; i++) {
    if (i < count && missing[first + i * step] !== 0) continue
    if (before < 0 && i === count) return
    const near = dc(before < 0 ? i : before)
    const far = dc(i === count ? before : i)
    for (let gap = before + 1; gap < i; gap++) {
      const at = first + gap * step
      plane[at * BLOCK_COEFFICIENTS] = Math.round(near + ((far - near) * (gap - before)) / (i - before))
      missing[at] = 0
    }
    before = i
  }
}

function offsetOf(layout: McuLayout, component: LayoutComponent, block: number): number {
  const { blocksWide } = component
  return layout.blockOffset(component, block % blocksWide, Math.floor(block / blocksWide))
}
