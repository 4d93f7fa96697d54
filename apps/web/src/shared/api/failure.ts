import { failureSchema } from '@mendframe/contract'

/** The server answered, and the answer is no. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number
  /** The contract's error code; `unknown` when the body said none. */
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** No answer came: no network, no server, a broken connection. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** An answer came that this page cannot read. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
}

/** What a failed answer says, from its body where it has the contract's form. */
export async function readFailure(response: Response): Promise<ApiFailure> {
  const body: unknown = await response.json().catch(() => undefined)
  const known = failureSchema.safeParse(body)
  return known.success
    ? new ApiFailure(response.status, known.data.code, known.data.message)
    : new ApiFailure(response.status, 'unknown', '')
}
