import { type Context, notePersonName } from '@mendframe/backend'
import { RETURN_PATHS } from '@mendframe/contract'
import { z } from 'zod'
import type { App } from '../app.ts'

const LONGEST_FORM = 32_768

const personSchema = z.object({
  name: z
    .object({ firstName: z.string().max(100).optional(), lastName: z.string().max(100).optional() })
    .optional(),
})

/**
 * Apple posts its answer as a form to the return page. The name in it comes once only and is kept beside the state; the
 * browser is sent on to the page by GET, as the specification has it.
 */
export function addProviderCallbacks(app: App, context: Context): void {
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: LONGEST_FORM },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    for (const path of Object.values(RETURN_PATHS.apple)) {
      scope.post(path, { schema: { hide: true } }, async (request, reply) => {
        const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
        const state = form.get('state') ?? ''
        const name = personName(form.get('user'))
        if (name !== '') await notePersonName(context, state, name)
        const forward = new URLSearchParams()
        for (const field of ['code', 'state', 'error']) {
          const value = form.get(field)
          if (value !== null) forward.set(field, value)
        }
        return reply.redirect(`${path}?${forward}`, 303)
      })
    }
  })
}

function personName(text: string | null): string {
  if (text === null) return ''
  try {
    const { name } = personSchema.parse(JSON.parse(text))
    return [name?.firstName, name?.lastName].filter((part) => part).join(' ')
  } catch {
    // A name that cannot be read is no reason to refuse a sign-in.
    return ''
  }
}
