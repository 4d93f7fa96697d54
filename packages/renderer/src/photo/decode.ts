import { closeSync, openSync, readSync } from 'node:fs'
import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { RendererError } from '../errors.ts'
import { decodeBmp } from './bmp.ts'
import { decodeHeif } from './heif.ts'
import { kindOfPhoto, type PhotoKind } from './kind.ts'
import { MOST_PIXELS, type Pixels } from './pixels.ts'
import { decodeRaw } from './raw.ts'

/** Bytes that tell what a file is. */
const HEAD = 64

/** What a file is, by its first bytes and its extension. @throws RendererError `environment` */
export function kindOf(path: string, extension: string): PhotoKind {
  return kindOfPhoto(headOf(path), extension)
}

/** Whether a file begins with a file type box, as HEIF and AVIF do. @throws RendererError `environment` */
export function isBoxedPhoto(path: string): boolean {
  return String.fromCharCode(...headOf(path).subarray(4, 8)) === 'ftyp'
}

function headOf(path: string): Uint8Array {
  const head = new Uint8Array(HEAD)
  try {
    const descriptor = openSync(path, 'r')
    readSync(descriptor, head, 0, HEAD, 0)
    closeSync(descriptor)
  } catch (cause) {
    throw new RendererError('environment', 'cannot read the file', { cause })
  }
  return head
}

/**
 * A photo as a picture to be worked on. `strict`: fails for whatever a decoder warns of; else what can be seen of a damaged one.
 * @throws RendererError `input` when nothing of it decodes, `unsupported` when nothing here knows its kind
 */
export async function openPhoto(path: string, extension: string, strict: boolean): Promise<Sharp> {
  switch (kindOf(path, extension)) {
    case 'heif':
      return fromPixels(await decodeHeif(path))
    case 'raw':
      return fromPixels(await decodeRaw(path))
    case 'tiff-raw':
      try {
        return fromPixels(await decodeRaw(path))
      } catch (error) {
        if (!(error instanceof RendererError) || error.kind !== 'input') throw error
        throw new RendererError('unsupported', 'nothing here develops this kind of raw photo', {
          cause: error,
        })
      }
    case 'bmp':
      return fromPixels(decodeBmp(path, strict))
    case 'common':
      return sharp(path, options(strict)).autoOrient()
    case 'unknown':
      throw new RendererError('unsupported', 'nothing here decodes this kind of photo')
  }
}

function options(strict: boolean): SharpOptions {
  return { failOn: strict ? 'warning' : 'none', limitInputPixels: MOST_PIXELS, unlimited: !strict }
}

function fromPixels({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: MOST_PIXELS })
}
