import { join } from 'node:path'
import type { Context } from '@mendframe/backend'
import { PREVIEW_FRACTION, previewsInline } from '@mendframe/contract'
import { RendererError } from '@mendframe/renderer'
import type { MediaTools } from './media-tools.ts'

/** Longest preview made, in seconds: a tenth of two and a half hours. */
const LONGEST_PREVIEW_SECONDS = 900
/** Share of a preview at which the second still is taken. */
const SECOND_STILL_SHARE = 0.6

/** Files of a preview in the scratch folder; what could not be made is absent. */
export interface PreviewFiles {
  /** The preview for download, in the recording's own format where it can be written. */
  readonly preview?: string
  /** The one that browsers play; may be the same file. */
  readonly playable?: string
  readonly still?: string
  readonly still2?: string
  /** A photo in full. */
  readonly jpeg?: string
  readonly png?: string
}

/**
 * Makes the preview of a repaired video: a tenth of it. Pictures that do not decode here and there are no reason to lose
 * the repair itself: what cannot be made is left out and logged.
 */
export async function makePreviews(
  context: Context,
  tools: MediaTools,
  input: string,
  folder: string,
  extension: string,
  options: { readonly signal: AbortSignal; readonly onProgress: (fraction: number) => void },
): Promise<PreviewFiles> {
  const { signal, onProgress } = options
  const bounds = {
    signal,
    fraction: PREVIEW_FRACTION,
    maxSeconds: LONGEST_PREVIEW_SECONDS,
    timeoutSeconds: context.config.worker.timeoutSeconds,
  }
  const attempt = async <Value>(what: string, make: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await make()
    } catch (error) {
      if (!(error instanceof RendererError) || error.kind === 'aborted') throw error
      context.log.warn({ err: error, what }, 'preview not made')
      return undefined
    }
  }
  const playable = join(folder, 'playable.mp4')
  const played = await attempt('playable', () =>
    tools.preview({
      input,
      output: playable,
      ...bounds,
      onProgress: (fraction) => onProgress(fraction * 0.7),
    }),
  )
  onProgress(0.7)
  const segment = previewsInline(extension)
    ? undefined
    : await attempt('segment', () =>
        tools.extractSegment({ input, output: join(folder, `preview.${extension}`), ...bounds }),
      )
  onProgress(0.9)
  const still = join(folder, 'still.jpg')
  const still2 = join(folder, 'still2.jpg')
  const first = await attempt('still', () => tools.stillImage({ input, output: still, signal }))
  const atSeconds = (played?.seconds ?? 0) * SECOND_STILL_SHARE
  const second = await attempt('second still', () =>
    tools.stillImage({ input, output: still2, atSeconds, signal }),
  )
  onProgress(1)
  const preview = segment?.path ?? (played ? playable : undefined)
  return {
    ...(preview === undefined ? {} : { preview }),
    ...(played ? { playable } : {}),
    ...(first ? { still } : {}),
    ...(second ? { still2 } : {}),
  }
}
