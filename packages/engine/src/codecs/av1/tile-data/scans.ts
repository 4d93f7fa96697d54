/** Directions of a transform, AV1 specification (2019-01-08) §3: both, rows alone, columns alone. */
export const BOTH = 0
export const HORIZONTAL = 1
export const VERTICAL_ONLY = 2

const made: (Uint16Array | undefined)[] = []

/** Places of the coefficients of a transform in their order, by its direction and its coded sides: get_scan, §5.11.41. */
export function scanOf(direction: number, wide: number, high: number): Uint16Array {
  const key = 16 * direction + 4 * wide + high
  made[key] ??= scan(direction, 4 << wide, 4 << high)
  return made[key]
}

function scan(direction: number, width: number, height: number): Uint16Array {
  const places = Array.from({ length: width * height }, (_, i) => i)
  if (direction === VERTICAL_ONLY) return Uint16Array.from(places)
  if (direction === HORIZONTAL)
    return Uint16Array.from(places, (i) => (i % height) * width + Math.floor(i / height))
  const diagonals: number[] = []
  for (let sum = 0; sum < width + height - 1; sum++) {
    const diagonal = []
    for (let y = Math.max(0, sum - width + 1); y <= Math.min(sum, height - 1); y++)
      diagonal.push(y * width + sum - y)
    // downwards where it is higher than wide, upwards where it is wider, and there and back where it is square
    const upwards = width > height || (width === height && sum % 2 === 0)
    diagonals.push(...(upwards ? diagonal.reverse() : diagonal))
  }
  return Uint16Array.from(diagonals)
}
