import { z } from 'zod'
import { isEmail } from '../checks.ts'
import { userSchema } from '../entities.ts'
import { MAX_PASSWORD_LENGTH } from '../limits.ts'
import { type Product, productSchema } from '../products.ts'
import { TEXTS } from '../texts.ts'
import { defineRoute, doneSchema } from './route.ts'

/** The client's clock for email sign-in, the server's state for Google and Apple; ignored where not needed. */
const signInTimestamp = z
  .union([z.string().max(512), z.number()])
  .transform((value) => String(value))
  .optional()

export const emailSchema = z
  .string(TEXTS.emailRequired)
  .trim()
  .min(1, TEXTS.emailRequired)
  .refine(isEmail, TEXTS.emailInvalid)
export const passwordSchema = z
  .string(TEXTS.passwordRequired)
  .min(1, TEXTS.passwordRequired)
  .max(MAX_PASSWORD_LENGTH, 'This password is too long.')

/** What every way of signing in answers. */
export const signInReplySchema = z.object({
  success: z.literal(true),
  token: z.string(),
  user: userSchema,
  message: z.string(),
})
export type SignInReply = z.infer<typeof signInReplySchema>

const emailBody = z.object({ email: emailSchema, password: passwordSchema, timestamp: signInTimestamp })
const codeSchema = z.string().min(1).max(4096)

const credentialErrors = [
  'auth.email-required',
  'auth.email-invalid',
  'auth.password-required',
  'auth.password-too-long',
] as const
const providerErrors = [
  'auth.code-missing',
  'auth.state-invalid',
  'auth.provider-unconfigured',
  'auth.provider-refused',
] as const

function signInRoutes<const P extends { login: string; signup: string; google: string; apple: string }>(
  paths: P,
) {
  return {
    login: defineRoute({
      method: 'POST',
      path: paths.login,
      summary: 'Log in with email and password',
      access: 'open',
      body: emailBody,
      reply: signInReplySchema,
      errors: [...credentialErrors, 'auth.login-refused'],
    }),
    signup: defineRoute({
      method: 'POST',
      path: paths.signup,
      summary: 'Create an account; a mail asks to verify the address',
      access: 'open',
      body: emailBody,
      reply: signInReplySchema,
      errors: [...credentialErrors, 'auth.signup-refused'],
    }),
    google: defineRoute({
      method: 'POST',
      path: paths.google,
      summary: 'Finish a Google sign-in: the code of the return page, its state as timestamp',
      access: 'open',
      body: z.object({ code: codeSchema.optional(), timestamp: signInTimestamp }),
      reply: signInReplySchema,
      errors: providerErrors,
    }),
    apple: defineRoute({
      method: 'POST',
      path: paths.apple,
      summary: 'Finish an Apple sign-in: code (return page) or id_token (dialog), the state as timestamp',
      access: 'open',
      body: z.object({
        code: codeSchema.optional(),
        id_token: z.string().min(1).max(16_384).optional(),
        timestamp: signInTimestamp,
      }),
      reply: signInReplySchema,
      errors: providerErrors,
    }),
  }
}

/** The eight specified sign-in calls by product. */
export const SIGN_IN = {
  video: signInRoutes({
    login: '/api/login',
    signup: '/api/signup',
    google: '/api/googleauth',
    apple: '/api/appleauth',
  }),
  photo: signInRoutes({
    login: '/api/photologin',
    signup: '/api/photosignup',
    google: '/api/photogoogleauth',
    apple: '/api/photoappleauth',
  }),
} as const

export const PROVIDERS = ['google', 'apple'] as const
export const providerSchema = z.enum(PROVIDERS)
export type Provider = z.infer<typeof providerSchema>

/** Pages of the web app to which a provider returns with `code` and `state` in the query. */
export const RETURN_PATHS: Readonly<Record<Provider, Readonly<Record<Product, string>>>> = {
  google: { video: '/googlecallback', photo: '/photogooglecallback' },
  apple: { video: '/callback', photo: '/photocallback' },
}

export const SESSIONS = {
  start: defineRoute({
    method: 'POST',
    path: '/api/signin/start',
    summary:
      'Start a Google or Apple sign-in. Send the browser to `url`; the provider returns it to the return page. A cookie ties the state to this browser, so send credentials',
    access: 'open',
    body: z.object({ provider: providerSchema, product: productSchema.default('video') }),
    reply: z.object({
      success: z.literal(true),
      url: z.string(),
      /** The state: sent as `timestamp` with the code. */
      timestamp: z.string(),
      /** Nonce for Apple's dialog, which answers with an id token. */
      nonce: z.string(),
      /** Where the provider's own window may ask instead: its script, and what that is told beside state and nonce. */
      window: z.object({ script: z.url(), clientId: z.string(), redirectUri: z.string() }).optional(),
    }),
    errors: ['auth.provider-unconfigured'],
  }),
  logout: defineRoute({
    method: 'POST',
    path: '/api/logout',
    summary: 'Revoke this session',
    access: 'session',
    reply: doneSchema,
    errors: [],
  }),
  forgotPassword: defineRoute({
    method: 'POST',
    path: '/api/password/forgot',
    summary:
      'Send a mail with a link to /reset?token=… (photo: &product=photo); answers alike whether the account exists or not',
    access: 'open',
    body: z.object({ email: emailSchema, product: productSchema.default('video') }),
    reply: doneSchema,
    errors: ['auth.email-required', 'auth.email-invalid'],
  }),
  resetPassword: defineRoute({
    method: 'POST',
    path: '/api/password/reset',
    summary: 'Set a new password with the token of the mail; all other sessions end',
    access: 'open',
    body: z.object({
      token: z.string().min(1).max(512),
      password: passwordSchema,
      product: productSchema.default('video'),
    }),
    reply: signInReplySchema,
    errors: ['auth.reset-invalid', 'auth.password-required', 'auth.password-too-long'],
  }),
  changePassword: defineRoute({
    method: 'POST',
    path: '/api/password/change',
    summary:
      'Change the password; all other sessions end. An account without one leaves currentPassword empty',
    access: 'session',
    body: z.object({ currentPassword: z.string().max(MAX_PASSWORD_LENGTH), newPassword: passwordSchema }),
    reply: doneSchema,
    errors: ['auth.password-wrong', 'auth.password-required', 'auth.password-too-long'],
  }),
  verifyEmail: defineRoute({
    method: 'POST',
    path: '/api/email/verify',
    summary: 'Verify the address with the token of the mail, which links to /verify?token=…',
    access: 'open',
    body: z.object({ token: z.string().min(1).max(512) }),
    reply: doneSchema,
    errors: ['auth.verify-invalid'],
  }),
  sendVerification: defineRoute({
    method: 'POST',
    path: '/api/email/send-verification',
    summary: 'Send the verification mail again',
    access: 'session',
    reply: doneSchema,
    errors: [],
  }),
} as const
