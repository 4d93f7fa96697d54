import type { FrameComponent } from '../../syntax/jpeg-markers/frame.ts'

const BLOCK = 8
export const BLOCK_COEFFICIENTS = 64

/** A component's place among the blocks of an MCU, and how many blocks it has when it is scanned alone (ITU-T T.81 §A.2.2). */
export interface LayoutComponent extends FrameComponent {
  /** Its first block's number within the MCU. */
  readonly firstBlock: number
  readonly blocksWide: number
  readonly blocksHigh: number
}

/**
 * How a frame's blocks lie in memory: MCU by MCU in the order of an interleaved scan, 64 coefficients a block in zigzag order.
 * A frame of one component has MCUs of one block whatever its factors say, ITU-T T.81 §A.2.2.
 */
export class McuLayout {
  readonly width: number
  readonly height: number
  readonly components: readonly LayoutComponent[]
  readonly mcuWide: number
  readonly mcuHigh: number
  readonly mcuCount: number
  readonly blocksPerMcu: number
  /** Coefficients of an MCU. */
  readonly mcuLength: number
  /** The component each block of an MCU belongs to. */
  readonly componentOf: Uint8Array
  /** Pixels of an MCU across and down. */
  readonly mcuPixelsWide: number
  readonly mcuPixelsHigh: number

  constructor(width: number, height: number, components: readonly FrameComponent[]) {
    this.width = width
    this.height = height
    const alone = components.length === 1
    const factors = components.map((component) => (alone ? { ...component, h: 1, v: 1 } : component))
    const across = Math.max(...factors.map(({ h }) => h))
    const down = Math.max(...factors.map(({ v }) => v))
    this.mcuPixelsWide = BLOCK * across
    this.mcuPixelsHigh = BLOCK * down
    this.mcuWide = Math.ceil(width / this.mcuPixelsWide)
    this.mcuHigh = Math.ceil(height / this.mcuPixelsHigh)
    this.mcuCount = this.mcuWide * this.mcuHigh
    const owners: number[] = []
    this.components = factors.map((component, index) => {
      const firstBlock = owners.length
      for (let i = 0; i < component.h * component.v; i++) owners.push(index)
      const blocksWide = Math.ceil(Math.ceil((width * component.h) / across) / BLOCK)
      const blocksHigh = Math.ceil(Math.ceil((height * component.v) / down) / BLOCK)
      return { ...component, firstBlock, blocksWide, blocksHigh }
    })
    this.componentOf = Uint8Array.from(owners)
    this.blocksPerMcu = owners.length
    this.mcuLength = owners.length * BLOCK_COEFFICIENTS
  }

  /** Where the coefficients of a component's block begin, by its column and row among the component's blocks. */
  blockOffset(component: LayoutComponent, column: number, row: number): number {
    const { h, v, firstBlock } = component
    const mcu = Math.floor(row / v) * this.mcuWide + Math.floor(column / h)
    return mcu * this.mcuLength + (firstBlock + (row % v) * h + (column % h)) * BLOCK_COEFFICIENTS
  }
}
