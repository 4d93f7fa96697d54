import { z } from 'zod'
import { purchaseSchema, uploadedFileSchema, userSchema } from '../entities.ts'
import { MAX_PASSWORD_LENGTH } from '../limits.ts'
import { packSchema } from '../plans.ts'
import { productSchema } from '../products.ts'
import { defineRoute, doneSchema } from './route.ts'

/** The email must be the session's; `product=photo` asks for the photo flavour. */
const accountQuery = z.object({ email: z.string().max(254), product: productSchema.default('video') })

/** Reads and changes of one's own account. */
export const ACCOUNT = {
  user: defineRoute({
    method: 'GET',
    path: '/api/user',
    summary: 'The user and all uploaded files of the product, newest first',
    access: 'session',
    query: accountQuery,
    reply: z.object({
      success: z.literal(true),
      user: userSchema,
      uploadedFiles: z.array(uploadedFileSchema),
    }),
    errors: ['auth.identity-mismatch'],
  }),
  productRecharge: defineRoute({
    method: 'GET',
    path: '/api/product_recharge',
    summary:
      'Repairs of all unexpired purchases, and how many of them are used; without one, how many of the Free plan',
    access: 'session',
    query: accountQuery,
    reply: z.object({
      success: z.literal(true),
      totalRecharges: z.number().int(),
      usedRecharges: z.number().int(),
    }),
    errors: ['auth.identity-mismatch'],
  }),
  uploadedFiles: defineRoute({
    method: 'GET',
    path: '/api/uploaded_files',
    summary: 'All uploaded files of the product, newest first',
    access: 'session',
    query: accountQuery,
    reply: z.object({ success: z.literal(true), uploadedFiles: z.array(uploadedFileSchema) }),
    errors: ['auth.identity-mismatch'],
  }),
  purchases: defineRoute({
    method: 'GET',
    path: '/api/purchases',
    summary: 'Purchase records, latest-expiring first; the body is the list itself',
    access: 'session',
    query: accountQuery,
    reply: z.array(purchaseSchema),
    errors: ['auth.identity-mismatch'],
  }),
  update: defineRoute({
    method: 'POST',
    path: '/api/account',
    summary: 'Save the country; answers the user with the plan of the product',
    access: 'session',
    body: z.object({ country: z.string().max(80), product: productSchema.default('video') }),
    reply: z.object({ success: z.literal(true), user: userSchema }),
    errors: ['account.country-unknown'],
  }),
  exportData: defineRoute({
    method: 'POST',
    path: '/api/account/export',
    summary: 'Everything stored about the account, as JSON',
    access: 'session',
    reply: z.looseObject({ success: z.literal(true) }),
    errors: [],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/account/delete',
    summary:
      'Delete the account with all files. With a password, it is asked for; without, the email is typed again',
    access: 'session',
    body: z.object({ email: z.string().max(254), password: z.string().max(MAX_PASSWORD_LENGTH).optional() }),
    reply: doneSchema,
    errors: ['auth.identity-mismatch', 'auth.password-wrong'],
  }),
  checkoutLinks: defineRoute({
    method: 'GET',
    path: '/api/checkout_links',
    summary:
      'The packs of a product, each with its checkout address bound to this account; no address: not on sale here',
    access: 'session',
    query: z.object({ product: productSchema.default('video') }),
    reply: z.object({
      success: z.literal(true),
      packs: z.array(packSchema.extend({ url: z.string().optional() })),
    }),
    errors: [],
  }),
} as const
