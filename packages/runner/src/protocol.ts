import type {
  Decoded,
  FileDiagnosis,
  ProfileText,
  ReadPictures,
  RepairOptions,
  Report,
  Stage,
} from '@mendframe/engine'
import type { CopyOrder } from './copy-order.ts'
import type { WireError } from './errors.ts'
import type { Stretch } from './zero-watch.ts'

/**
 * What the engine process is told, as one line of JSON on its standard input. Files come as open descriptors, so the
 * process needs no right to open any file and never learns a path; `name` is only the last part, for its extension.
 */
export interface HandedFile {
  readonly descriptor: number
  /** Bytes at the time of opening. */
  readonly size: number
  readonly name: string
}

export type EngineJob =
  | { readonly kind: 'diagnose'; readonly file: HandedFile }
  | { readonly kind: 'read-pictures'; readonly file: HandedFile }
  | { readonly kind: 'profile'; readonly file: HandedFile; readonly camera: string }
  | {
      readonly kind: 'repair'
      readonly damaged: HandedFile
      readonly sample?: HandedFile
      /** Descriptor of the empty file that takes the result. */
      readonly output: number
      /** Where the parent copies the damaged file to, ahead of what it is told to: its first byte's offset in the output. */
      readonly lead?: number
      /** Descriptor of a file that takes what is to be decoded; absent when nobody decodes. */
      readonly scratch?: number
      readonly options: Partial<RepairOptions>
    }

/** What the engine may ask to be decoded: the damaged file as it came, or what it wrote into the scratch file. */
export type DecodeTarget = 'damaged' | 'scratch'

/**
 * What a repair is told further, a line of JSON each: so many bytes more of those it ordered are copied, and what zeros were seen
 * there (absent once they are too many); or nothing is copied ahead any more; or what it asked to be decoded came to this.
 */
export type Notice =
  | { readonly copied: number; readonly zeros?: readonly Stretch[] | undefined }
  | { readonly held: true }
  | { readonly decoded: Decoded }

/** What it answers, one line of JSON each on descriptor `ANSWERS`. `memory` is its resident set in bytes. */
export type EngineMessage =
  | { readonly type: 'progress'; readonly stage: Stage; readonly fraction: number; readonly memory: number }
  /** Bytes of the damaged file that are to be copied into the output. */
  | { readonly type: 'copy'; readonly order: CopyOrder }
  /** Bytes of the damaged file that are likely to be ordered to be copied. */
  | { readonly type: 'foretell'; readonly order: CopyOrder }
  /** Nothing more is to be copied ahead. */
  | { readonly type: 'hold' }
  /** To be decoded, one at a time. */
  | { readonly type: 'decode'; readonly target: DecodeTarget }
  | { readonly type: 'repaired'; readonly report: Report }
  | { readonly type: 'diagnosed'; readonly diagnosis: FileDiagnosis }
  | { readonly type: 'read-pictures'; readonly tracks: readonly ReadPictures[] }
  | { readonly type: 'profiled'; readonly profile: ProfileText | { readonly reason: string } }
  | { readonly type: 'failed'; readonly error: WireError }

/** Descriptor of the pipe that carries the answers. */
export const ANSWERS = 3
/** First descriptor of the files handed over. */
export const FIRST_FILE = 4
