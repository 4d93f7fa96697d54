import { SOF3 } from './markers.ts'

/**
 * A component of a frame: its identifier, sampling factors across and down (1 to 4), and the number of its quantisation table.
 */
export interface FrameComponent {
  readonly id: number
  readonly h: number
  readonly v: number
  readonly table: number
}

/** A frame header, ITU-T T.81 §B.2.2. `height` may be 0: then DNL tells it behind the first scan. */
export interface FrameHeader {
  readonly marker: number
  readonly precision: number
  readonly width: number
  readonly height: number
  readonly components: readonly FrameComponent[]
}

/** The frame header in a body of a start-of-frame segment; undefined when it cannot be one. */
export function readFrame(marker: number, body: Uint8Array): FrameHeader | undefined {
  const count = body[5]
  if (body.length < 9 || body.length !== 6 + 3 * count || count > 4) return undefined
  const [precision] = body
  const height = (body[1] << 8) | body[2]
  const width = (body[3] << 8) | body[4]
  // lossless samples have 2 to 16 bits, T.81 Table B.2
  const sound = marker === SOF3 ? precision >= 2 && precision <= 16 : [8, 12, 16].includes(precision)
  if (!sound || width === 0) return undefined
  const components: FrameComponent[] = []
  for (let i = 0; i < count; i++) {
    const at = 6 + 3 * i
    const component = { id: body[at], h: body[at + 1] >> 4, v: body[at + 1] & 15, table: body[at + 2] }
    if (component.h < 1 || component.h > 4 || component.v < 1 || component.v > 4 || component.table > 3)
      return undefined
    if (components.some(({ id }) => id === component.id)) return undefined
    components.push(component)
  }
  return { marker, precision, width, height, components }
}

/** The body of a start-of-frame segment. */
export function writeFrame({ precision, width, height, components }: FrameHeader): Uint8Array {
  return Uint8Array.from([
    precision,
    height >> 8,
    height & 0xff,
    width >> 8,
    width & 0xff,
    components.length,
    ...components.flatMap(({ id, h, v, table }) => [id, (h << 4) | v, table]),
  ])
}
