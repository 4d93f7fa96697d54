import { RENDERER_ERROR_KINDS, type RendererErrorKind } from './errors.ts'

/** A stretch of a file in bytes, end exclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A stretch of a recording in seconds after its first picture, end exclusive. */
export interface SecondsRange {
  readonly start: number
  readonly end: number
}

/** One change of the pictures or their times. */
export type EnhanceOperation =
  | { readonly kind: 'conceal'; readonly ranges: readonly SecondsRange[] }
  | { readonly kind: 'deflicker' }
  | { readonly kind: 'sharpen'; readonly strength: number }
  | { readonly kind: 'retime'; readonly rate: number | undefined }

/** What the parent asks of the child: one JSON value on standard input. */
export type Task =
  | { readonly task: 'verify'; readonly input: string }
  | { readonly task: 'probe'; readonly input: string }
  | {
      readonly task: 'hashes'
      readonly input: string
      readonly output: string
      readonly frames: boolean
      readonly lost: readonly ByteRange[]
      /** Further packets that are left out, by stream: their places among its packets. */
      readonly without?: readonly (readonly number[])[]
    }
  | { readonly task: 'payload'; readonly input: string; readonly output: string; readonly stream: number }
  | {
      readonly task: 'preview'
      readonly input: string
      readonly output: string
      readonly fraction: number
      readonly maxSeconds: number
      readonly maxWidth: number
    }
  | {
      readonly task: 'segment'
      readonly input: string
      readonly output: string
      readonly muxer: string
      readonly fraction: number
      readonly maxSeconds: number
    }
  | {
      readonly task: 'enhance'
      readonly input: string
      readonly output: string
      readonly operation: EnhanceOperation
    }
  | {
      readonly task: 'still'
      readonly input: string
      readonly output: string
      readonly atSeconds: number
      readonly width: number
    }
  | { readonly task: 'verify-photo'; readonly input: string; readonly extension: string }
  | {
      readonly task: 'render-photo'
      readonly input: string
      readonly extension: string
      readonly output: string
      readonly format: 'jpeg' | 'png'
      readonly longestSide?: number
    }

/** What the child answers: JSON lines on standard output, the last one `result` or `error`. */
export type Message =
  | { readonly type: 'progress'; readonly fraction: number }
  | { readonly type: 'result'; readonly value: unknown }
  | { readonly type: 'error'; readonly kind: RendererErrorKind; readonly message: string }

/** One line of the child, or undefined when it is none: a child that decodes hostile media is not trusted to speak well. */
export function parseMessage(line: string): Message | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!isRecord(value)) return undefined
  if (value.type === 'progress' && typeof value.fraction === 'number') {
    return { type: 'progress', fraction: Math.min(Math.max(value.fraction, 0), 1) }
  }
  if (value.type === 'result') return { type: 'result', value: value.value }
  const kind = RENDERER_ERROR_KINDS.find((known) => known === value.kind)
  if (value.type === 'error' && kind && typeof value.message === 'string') {
    return { type: 'error', kind, message: value.message }
  }
  return undefined
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
