import { type ErrorCode, errorStatus, errorText, fill } from '@mendframe/contract'

/** A refusal that the contract names: the API answers it with the code's status and text. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure'
  readonly code: ErrorCode
  readonly status: number

  /** `values` fill the places of the code's text, e.g. `{ext}`. */
  constructor(code: ErrorCode, values: Readonly<Record<string, string>> = {}, options?: ErrorOptions) {
    super(fill(errorText(code), values), options)
    this.code = code
    this.status = errorStatus(code)
  }
}

/** A mistake in the settings or on this machine that stops the program; its message is one clear line. */
export class SetupError extends Error {
  override readonly name = 'SetupError'
}

/** Refuses when there is a code to refuse with. */
export function refuse(code: ErrorCode | undefined, values: Readonly<Record<string, string>> = {}): void {
  if (code) throw new ServiceFailure(code, values)
}
