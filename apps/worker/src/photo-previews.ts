import { join } from 'node:path'
import type { Context } from '@mendframe/backend'
import { RendererError } from '@mendframe/renderer'
import type { MediaTools } from './media-tools.ts'
import type { PreviewFiles } from './previews.ts'

/** Most pixels of the longer side of the pictures that the page compares. */
const COMPARED_SIDE = 2048
/** Extensions of results that are JPEG files already. */
const IS_JPEG = /^jpe?g$/

interface PhotoFiles {
  readonly damaged: string
  readonly repaired: string
  /** Folder for what is made. */
  readonly folder: string
  /** The result's, without a dot. */
  readonly extension: string
}

/**
 * Renders a repaired photo: before and after for the page, and in full as PNG and, where the result is something else, as
 * JPEG. A damaged photo that shows nothing has no 'before'; what cannot be made is left out and logged.
 */
export async function makePhotoPreviews(
  context: Context,
  tools: MediaTools,
  { damaged, repaired, folder, extension }: PhotoFiles,
  options: {
    readonly signal: AbortSignal
    readonly memoryBytes: number
    readonly onProgress: (fraction: number) => void
  },
): Promise<PreviewFiles> {
  const { signal, memoryBytes, onProgress } = options
  const { timeoutSeconds } = context.config.worker
  const render = async (
    input: string,
    name: string,
    format: 'jpeg' | 'png',
    longestSide?: number,
  ): Promise<string | undefined> => {
    const output = join(folder, name)
    try {
      const size = longestSide === undefined ? {} : { longestSide }
      await tools.renderPhoto({ input, output, format, ...size, signal, timeoutSeconds, memoryBytes })
      return output
    } catch (error) {
      if (!(error instanceof RendererError) || error.kind === 'aborted') throw error
      context.log.info({ err: error, what: name }, 'picture not made')
      return undefined
    }
  }
  const still = await render(repaired, 'after.jpg', 'jpeg', COMPARED_SIDE)
  onProgress(0.3)
  const still2 = await render(damaged, 'before.jpg', 'jpeg', COMPARED_SIDE)
  onProgress(0.5)
  const jpeg = IS_JPEG.test(extension) ? undefined : await render(repaired, 'full.jpg', 'jpeg')
  onProgress(0.7)
  const png = await render(repaired, 'full.png', 'png')
  onProgress(1)
  return {
    ...(still === undefined ? {} : { still }),
    ...(still2 === undefined ? {} : { still2 }),
    ...(jpeg === undefined ? {} : { jpeg }),
    ...(png === undefined ? {} : { png }),
  }
}
