/** Sample formats of the synthetic pictures, named as ffmpeg names them. */
export type PatternFormat =
  | 'yuv420p'
  | 'yuvj420p'
  | 'yuv422p'
  | 'yuv422p10le'
  | 'yuv420p10le'
  | 'yuv444p10le'
  | 'yuv411p'

const CHROMA: Record<PatternFormat, readonly [number, number]> = {
  yuv420p: [2, 2],
  yuvj420p: [2, 2],
  yuv422p: [2, 1],
  yuv422p10le: [2, 1],
  yuv420p10le: [2, 2],
  yuv444p10le: [1, 1],
  yuv411p: [4, 1],
}

/** One picture of a moving pattern, planes one after another, every picture different from all others. */
export function patternPicture(
  format: PatternFormat,
  width: number,
  height: number,
  index: number,
): Uint8Array {
  const deep = format.endsWith('10le')
  const [stepX, stepY] = CHROMA[format]
  const planes = [
    luma(width, height, index),
    ...[1, 2].map((plane) => chroma(width / stepX, height / stepY, index, plane)),
  ]
  const bytes = planes.flatMap((plane) =>
    deep ? plane.flatMap((value) => [(value << 2) & 255, value >> 6]) : plane,
  )
  return Uint8Array.from(bytes)
}

/** A picture of two fields: every second row shows what is there `later` pictures after the others. */
export function wovenPicture(
  format: PatternFormat,
  width: number,
  height: number,
  index: number,
  later: number,
): Uint8Array {
  const first = patternPicture(format, width, height, index)
  const second = patternPicture(format, width, height, index + later)
  const [stepX, stepY] = CHROMA[format]
  const sampleBytes = format.endsWith('10le') ? 2 : 1
  let at = 0
  for (const [columns, rows] of [[width, height], ...[1, 2].map(() => [width / stepX, height / stepY])]) {
    const stride = columns * sampleBytes
    for (let row = 0; row < rows; row++, at += stride)
      if (row % 2 === 1) first.set(second.subarray(at, at + stride), at)
  }
  return first
}

function luma(width: number, height: number, index: number): number[] {
  const boxX = (index * 5) % width
  const boxY = (index * 3) % height
  return Array.from({ length: width * height }, (_, at) => {
    const x = at % width
    const y = Math.floor(at / width)
    const inBox = (x - boxX + width) % width < 20 && (y - boxY + height) % height < 16
    return inBox ? 220 - ((x ^ y) & 15) : 40 + ((x * 2 + y + index) % 120)
  })
}

function chroma(width: number, height: number, index: number, plane: number): number[] {
  return Array.from({ length: width * height }, (_, at) => 96 + (((at % width) + plane * 20 + index) % 64))
}
