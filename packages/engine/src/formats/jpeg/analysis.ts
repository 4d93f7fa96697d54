import type { Doubt } from '../../model/doubt.ts'
import type { Finding } from '../../model/finding.ts'
import type { PictureReport } from '../../model/photo.ts'
import type { ReadPicture } from './read/read-picture.ts'

/** What is to be said of a file, and the file mended: parts of it in order. */
export interface Analysis {
  readonly findings: readonly Finding[]
  readonly healthy: boolean
  readonly described: ReadPicture | undefined
  readonly parts: readonly Uint8Array[]
  /** How many bytes of the parts are the first picture. */
  readonly firstLength?: number
  readonly pictures: readonly PictureReport[]
  readonly doubts: readonly Doubt[]
  readonly strategies: readonly { readonly name: string; readonly outcome: string }[]
  readonly sampleUsed: readonly string[]
  readonly reason?: string
}

/** Of a file that gives nothing. */
export const NOTHING = {
  parts: [],
  pictures: [],
  doubts: [],
  strategies: [],
  sampleUsed: [],
  healthy: false,
} as const
