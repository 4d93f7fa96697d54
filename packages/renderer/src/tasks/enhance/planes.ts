import { avGetPixFmtName, type Frame } from 'node-av/lib'
import { pixelFormatOf } from '../../media/pixel-format.ts'

/** One plane of a picture, row by row, as it lies in memory. */
export interface Plane {
  readonly samples: Uint8Array | Uint16Array
  /** Samples from one row to the next, at least `width`. */
  readonly stride: number
  readonly width: number
  readonly height: number
}

/** Names of formats whose planes hold plain samples: brightness or green in full size first. */
const PLAIN = /^(yuvj?4\d\dp|yuva4\d\dp|nv12|nv21|gray|gbrp)(9|10|12|14|16)?(le)?$/
/** How many times narrower and lower the planes of colour are. */
const SUBSAMPLING: Readonly<Record<string, readonly [number, number]>> = {
  '410': [4, 4],
  '411': [4, 1],
  '420': [2, 2],
  '422': [2, 1],
  '440': [1, 2],
}

/** Bits of a sample; undefined for formats that are not planes of plain samples. */
export function depthOf(frame: Frame): number | undefined {
  const found = PLAIN.exec(avGetPixFmtName(pixelFormatOf(frame)) ?? '')
  return found ? Number(found[2] ?? 8) : undefined
}

/** The planes of a picture, which a writable one can be changed through; none of formats without planes of plain samples. */
export function planesOf(frame: Frame): Plane[] {
  const depth = depthOf(frame)
  const name = avGetPixFmtName(pixelFormatOf(frame)) ?? ''
  if (depth === undefined) return []
  const [across, down] = SUBSAMPLING[/4\d\d/.exec(name)?.[0] ?? (name.startsWith('nv') ? '420' : '')] ?? [
    1, 1,
  ]
  const bytes = depth > 8 ? 2 : 1
  return (frame.data ?? []).map((data, place) => {
    const isColour = place === 1 || place === 2
    const columns = isColour ? Math.ceil(frame.width / across) : frame.width
    return {
      samples: bytes === 1 ? data : new Uint16Array(data.buffer, data.byteOffset, data.length >> 1),
      stride: Math.floor((frame.linesize[place] ?? 0) / bytes),
      width: isColour && name.startsWith('nv') ? 2 * columns : columns,
      height: isColour ? Math.ceil(frame.height / down) : frame.height,
    }
  })
}
