import { extractSegment, preview, renderPhoto, stillImage, verify } from '@mendframe/renderer'
import { runRepair } from '@mendframe/runner'

/** What the worker does with media, all of it in child processes. A test may put others in their place. */
export interface MediaTools {
  readonly runRepair: typeof runRepair
  readonly verify: typeof verify
  readonly preview: typeof preview
  readonly extractSegment: typeof extractSegment
  readonly stillImage: typeof stillImage
  readonly renderPhoto: typeof renderPhoto
}

export const mediaTools: MediaTools = {
  runRepair,
  verify,
  preview,
  extractSegment,
  stillImage,
  renderPhoto,
}
