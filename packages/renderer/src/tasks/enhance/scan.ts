import { crc32 } from 'node:zlib'
import type { AVPixelFormat } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { RendererError } from '../../errors.ts'
import { pixelFormatOf } from '../../media/pixel-format.ts'
import { decodeSamples, type Film } from './film.ts'

/** What decoding a film once tells. Columns are by place in decoding order. */
export interface Scan {
  /** 1 where the sample was refused or its picture is concealed or did not come out. */
  readonly damaged: Uint8Array
  /** CRC-32 of the decoded picture, 0 without one. */
  readonly sums: Uint32Array
  readonly pictures: number
  /** Most common look of the pictures. */
  readonly shape: Shape
}

export interface Shape {
  readonly width: number
  readonly height: number
  readonly format: AVPixelFormat
}

export function shapeOf(frame: Frame): Shape {
  return { width: frame.width, height: frame.height, format: pixelFormatOf(frame) }
}

export function hasShape(frame: Frame, shape: Shape): boolean {
  return frame.width === shape.width && frame.height === shape.height && frame.format === shape.format
}

/** Strict enough to tell damage, without the rules that sound cameras break. */
const WATCHFUL = { err_detect: 'crccheck+bitstream+buffer' } as const

/** Decodes every sample of a film. @throws RendererError `input` when no picture decodes */
export async function scan(film: Film, progress: (fraction: number) => void): Promise<Scan> {
  const { count } = film.samples
  const damaged = new Uint8Array(count).fill(1)
  const sums = new Uint32Array(count)
  const filled: number[] = []
  const refused = new Uint8Array(count)
  const shapes = new Map<string, { shape: Shape; pictures: number }>()
  let pictures = 0
  const decoder = film.decoder(WATCHFUL)
  try {
    await decodeSamples(film, 0, count, decoder, {
      picture: (frame, sample, concealed) => {
        pictures++
        damaged[sample] = concealed ? 1 : 0
        sums[sample] = crc32(frame.toBuffer())
        const shape = shapeOf(frame)
        const key = `${shape.width}x${shape.height}x${shape.format}`
        const known = shapes.get(key) ?? { shape, pictures: 0 }
        if (shapes.size < SHAPE_LIMIT) shapes.set(key, known)
        known.pictures++
        progress(sample / count)
        return true
      },
      refused: (sample) => {
        refused[sample] = 1
      },
      filled: (sample) => filled.push(sample),
    })
  } finally {
    decoder.close()
  }
  for (const [i, flag] of refused.entries()) if (flag) damaged[i] = 1
  if (filled.length < count * HABIT) for (const sample of filled) damaged[sample] = 1
  const [common] = [...shapes.values()].sort((a, b) => b.pictures - a.pictures)
  if (!common) throw new RendererError('input', 'no picture of the file can be decoded')
  return { damaged, sums, pictures, shape: common.shape }
}

/** Share of samples from which on zeros at their end are how the camera writes. */
const HABIT = 0.2

/** Picture sizes told apart; damaged headers can claim any number of them. */
const SHAPE_LIMIT = 64
