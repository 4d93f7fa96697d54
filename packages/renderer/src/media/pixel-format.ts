import type { AVPixelFormat } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { RendererError } from '../errors.ts'

/** The library keeps formats of pictures and of sound in one field. @throws RendererError `crashed` for sound */
export function pixelFormatOf(frame: Frame): AVPixelFormat {
  const { format } = frame
  if (isPixelFormat(format, frame)) return format
  throw new RendererError('crashed', 'a decoder of pictures gives sound')
}

function isPixelFormat(_format: Frame['format'], frame: Frame): _format is AVPixelFormat {
  return frame.isVideo()
}
