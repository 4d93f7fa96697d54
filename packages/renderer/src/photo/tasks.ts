import sharp from 'sharp'
import { RendererError } from '../errors.ts'
import type { PhotoVerification } from '../photo-results.ts'
import type { Task } from '../protocol.ts'
import { isBoxedPhoto, openPhoto } from './decode.ts'

/** Every task has a process of its own: what was decoded is not needed again. */
sharp.cache(false)

/** Decodes a whole photo strictly, and, where that fails, as far as it goes. */
export async function verifyPhoto(path: string, extension: string): Promise<PhotoVerification> {
  const strict = await attempt(path, extension, true)
  if (!(strict instanceof RendererError)) return { decodable: true, checked: true, errors: 0, ...strict }
  if (strict.kind === 'unsupported') return { ...NOTHING, checked: false }
  const lenient = await attempt(path, extension, false)
  if (!(lenient instanceof RendererError)) return { decodable: true, checked: true, errors: 1, ...lenient }
  return { ...NOTHING, checked: true, errors: 1, ...(isBoxedPhoto(path) ? { boxed: true as const } : {}) }
}

const NOTHING = { decodable: false, errors: 0, width: 0, height: 0 }

async function attempt(
  path: string,
  extension: string,
  strict: boolean,
): Promise<{ width: number; height: number } | RendererError> {
  try {
    const picture = await openPhoto(path, extension, strict)
    const { info } = await picture.raw().toBuffer({ resolveWithObject: true })
    return { width: info.width, height: info.height }
  } catch (error) {
    if (error instanceof RendererError && error.kind !== 'unsupported' && error.kind !== 'input') throw error
    return error instanceof RendererError
      ? error
      : new RendererError('input', error instanceof Error ? error.message : String(error))
  }
}

/** Writes a photo upright as JPEG or PNG. @throws RendererError */
export async function renderPhoto(
  task: Extract<Task, { task: 'render-photo' }>,
): Promise<{ width: number; height: number }> {
  const picture = await openPhoto(task.input, task.extension, false)
  const sized =
    task.longestSide === undefined
      ? picture
      : picture.resize(task.longestSide, task.longestSide, { fit: 'inside', withoutEnlargement: true })
  const flat =
    task.format === 'jpeg' ? sized.flatten({ background: '#ffffff' }).jpeg({ quality: 92 }) : sized.png()
  try {
    const { width, height } = await flat.toFile(task.output)
    return { width, height }
  } catch (error) {
    throw new RendererError('input', error instanceof Error ? error.message : String(error))
  }
}
