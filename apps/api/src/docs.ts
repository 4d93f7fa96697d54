import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { App } from './app.ts'

/** Where the documentation is; the document itself at `/json` below it. */
export const DOCS_PATH = '/api/docs'

/** OpenAPI made of the contract, with a page to read it. */
export async function addDocs(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Mendframe',
        version: '1.0.0',
        description:
          'Failures have a fitting status and the body { success: false, message, code }. Calls that need a session take `Authorization: Bearer <token>` with the token of a sign-in.',
      },
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  })
  await app.register(swaggerUi, { routePrefix: DOCS_PATH, staticCSP: false })
}
