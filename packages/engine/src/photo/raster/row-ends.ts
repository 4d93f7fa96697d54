import type { ByteReader } from '../../bytes/reader.ts'

/** Rows of pixels that are not packed, one behind the other. */
export interface RowEnds {
  /** Where rows begin whose ends in front of them are looked at. */
  readonly starts: readonly number[]
  /** Bytes of a pixel, at least one. */
  readonly pixelBytes: number
}

/** Standard errors by which rows must end where they stand to be beyond chance. */
const SURE = 5

/**
 * Whether rows end where they stand and not `by` bytes further on, as they would had so many bytes come in in front of them: from
 * one row to the next pixels jump, from one side of the picture to the other. Of whole rows, and of pictures whose sides are
 * alike, nothing shows it.
 */
export function endWhereTheyStand(reader: ByteReader, { starts, pixelBytes }: RowEnds, by: number): boolean {
  const jump = (at: number): number => {
    let sum = 0
    for (let i = 0; i < pixelBytes; i++) sum += Math.abs(reader.u8(at - pixelBytes + i) - reader.u8(at + i))
    return sum / pixelBytes
  }
  return certainty(Float64Array.from(starts, (at) => jump(at) - jump(at + by))) >= SURE
}

/** Mean of values in standard errors. */
export function certainty(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return mean / Math.max(Number.MIN_VALUE, Math.sqrt(squares) / values.length)
}
