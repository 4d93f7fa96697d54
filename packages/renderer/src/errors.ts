/**
 * Whose fault a failed rendering is. `input`: the file cannot be opened or holds nothing of the kind asked for;
 * `timeout` and `memory`: a limit was reached; `aborted`: the caller asked to stop; `crashed`: the child died or spoke
 * nonsense, which hostile media may bring about; `environment`: the file is missing, the disk full, the child cannot start;
 * `unsupported`: the file is sound but what was asked cannot be done to it exactly.
 */
export type RendererErrorKind =
  | 'input'
  | 'timeout'
  | 'memory'
  | 'aborted'
  | 'crashed'
  | 'environment'
  | 'unsupported'

export const RENDERER_ERROR_KINDS: readonly RendererErrorKind[] = [
  'input',
  'timeout',
  'memory',
  'aborted',
  'crashed',
  'environment',
  'unsupported',
]

/** The only error this package throws. */
export class RendererError extends Error {
  override readonly name = 'RendererError'
  readonly kind: RendererErrorKind

  constructor(kind: RendererErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
