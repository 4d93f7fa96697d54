import { extname } from 'node:path'
import { asRecord, number, readVerification } from './answers.ts'
import { whole } from './make.ts'
import type { PhotoVerification } from './photo-results.ts'
import { type RunOptions, runTask } from './run.ts'

export interface RenderPhotoRequest extends RunOptions {
  readonly input: string
  /** Appears, complete, when the call succeeds. */
  readonly output: string
  readonly format: 'jpeg' | 'png'
  /** Most pixels of the longer side; the photo's own size when absent. */
  readonly longestSide?: number
}

/**
 * Decodes a whole photo in a child process. The extension, its path's by default, tells raw formats apart. @throws RendererError
 */
export async function verifyPhoto(
  path: string,
  options: RunOptions & { readonly extension?: string } = {},
): Promise<PhotoVerification> {
  const { extension = extname(path).slice(1).toLowerCase() } = options
  const answer = asRecord(await runTask({ task: 'verify-photo', input: path, extension }, options))
  const verification = {
    decodable: answer.decodable === true,
    checked: answer.checked === true,
    errors: number(answer.errors),
    width: number(answer.width),
    height: number(answer.height),
  }
  return (answer.boxed === true && (await asMedia(path, options))) || verification
}

/**
 * What the media library makes of a photo of boxes that its own decoder does not open, as of image sequences and of alternatives
 * it does not know: a picture with one complaint, where all of its pictures decode without an error.
 */
async function asMedia(path: string, options: RunOptions): Promise<PhotoVerification | undefined> {
  const { decodable, tracks } = readVerification(await runTask({ task: 'verify', input: path }, options))
  const pictures = tracks.filter(({ kind, packets }) => kind === 'video' && packets > 0)
  if (!decodable || pictures.length === 0) return undefined
  if (pictures.some(({ errors, unchecked }) => errors > 0 || unchecked)) return undefined
  const [{ width = 0, height = 0 } = {}] = pictures
  return { decodable, checked: true, errors: 1, width, height }
}

/** Writes a photo, upright, as JPEG or PNG; raw photos are developed at half their size. @throws RendererError */
export async function renderPhoto(request: RenderPhotoRequest): Promise<{ width: number; height: number }> {
  const { input, format, longestSide } = request
  return whole(request.output, async (output) => {
    const answer = asRecord(
      await runTask(
        {
          task: 'render-photo',
          input,
          output,
          extension: extname(input).slice(1).toLowerCase(),
          format,
          ...(longestSide === undefined ? {} : { longestSide }),
        },
        request,
      ),
    )
    return { width: number(answer.width), height: number(answer.height) }
  })
}
