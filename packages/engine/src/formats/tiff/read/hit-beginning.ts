import { bitsApart } from '../../../bytes/bits-apart.ts'
import type { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import type { CheckedImage } from '../assess.ts'
import { unpacks } from './compression.ts'
import { emptyHead } from './empty-head.ts'
import type { Structure } from './structure.ts'

/** Bits of a header by which single hits change it: what overwrites it goes on behind. */
const FEW_BITS = 4

/**
 * Whether what hit a file's `header`, given as it should be, may have hit pixels behind it that carry no check: in zeros that go
 * on in them, or in front of the first thing that is seen to be right.
 */
export function isBeginningHit(
  { reader }: TiffNumbers,
  { directories }: Structure,
  images: readonly CheckedImage[],
  header: Uint8Array,
): boolean {
  const there = reader.bytes(0, header.length)
  if (bitsApart(header, there) <= FEW_BITS) return false
  const whole = images.flatMap(({ image, units }) =>
    units
      .filter(({ state }) => state === 'whole')
      .map(({ unit }) => ({ unit, checked: unpacks(image.compression) })),
  )
  if (there.every((byte) => byte === 0)) {
    const end = emptyHead(reader)
    return whole.some(({ unit }) => unit.offset < end)
  }
  const right = [
    ...directories.map(({ offset }) => offset),
    ...whole.filter(({ checked }) => checked).map(({ unit }) => unit.offset),
  ]
  const first = right.reduce((least, offset) => Math.min(least, offset), Infinity)
  return whole.some(({ unit }) => unit.offset < first)
}
