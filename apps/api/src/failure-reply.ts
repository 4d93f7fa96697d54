import { ServiceFailure } from '@mendframe/backend'
import { type ErrorCode, errorStatus, errorText, type Failure } from '@mendframe/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'

interface Refusal {
  readonly status: number
  readonly body: Failure
}

/** Texts of the sign-in form and their codes: the form's own checks, made again. */
const FIELD_CODES: readonly ErrorCode[] = [
  'auth.email-required',
  'auth.email-invalid',
  'auth.password-required',
  'auth.password-too-long',
]

export function refusal(code: ErrorCode, message = errorText(code)): Refusal {
  return { status: errorStatus(code), body: { success: false, message, code } }
}

/** Answers every failure in the contract's form; what the contract does not name is logged and answered as 500. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body } = refusalOf(error)
  if (status >= 500 && !(error instanceof ServiceFailure)) request.log.error({ err: error }, 'request failed')
  else if (error.cause !== undefined)
    request.log.warn({ err: error.cause, code: body.code }, 'request refused')
  reply.code(status).type('application/json').send(body)
}

function refusalOf(error: FastifyError): Refusal {
  if (error instanceof ServiceFailure)
    return { status: error.status, body: { success: false, message: error.message, code: error.code } }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const messages = error.validation.map((issue) => issue.message ?? '')
    const field = FIELD_CODES.find((code) => messages.includes(errorText(code)))
    return refusal(field ?? 'request.invalid')
  }
  switch (error.statusCode) {
    case 400:
    case 415:
      return refusal('request.invalid')
    case 404:
      return refusal('request.not-found')
    case 413:
      return refusal('request.too-large')
    case 429:
      return refusal('request.too-many')
    case 503:
      return refusal('server.unavailable')
    default:
      return refusal('server.error')
  }
}
