import { PACKS } from '@mendframe/contract'
import { z } from 'zod'

/* Every setting, read from environment variables. `.env.example` documents each; a test keeps the two alike. */

const flag = z
  .enum(['0', '1', 'true', 'false', 'yes', 'no'])
  .transform((value) => value === '1' || value === 'true' || value === 'yes')
const whole = (fallback: number, least: number, most: number) =>
  z.coerce.number().int().min(least).max(most).default(fallback)
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)
const PACK_IDS = PACKS.map((pack) => pack.id)

/** JSON object from text, keyed by pack id. */
const packMap = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue('must be a JSON object')
      return z.NEVER
    }
  })
  .pipe(
    z.record(
      z.string().refine((id) => PACK_IDS.includes(id), 'is not a pack'),
      z.string().min(1),
    ),
  )

export const settingsSchema = z.object({
  MENDFRAME_MODE: z.enum(['development', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(3000, 0, 65_535),
  MENDFRAME_DATA: z.string().default('data'),
  PUBLIC_URL: z.url().optional(),
  FILES_URL: z.url().optional(),
  TRUST_PROXY: z.string().optional(),
  CORS_ORIGINS: list.default([]),
  MENDFRAME_SECRET: z.string().min(32).optional(),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  METRICS_TOKEN: z.string().min(16).optional(),

  DATABASE_URL: z.string().optional(),
  DATABASE_POOL: whole(10, 2, 200),

  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: z.url().optional(),
  S3_PUBLIC_ENDPOINT: z.url().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: flag.default(true),

  SESSION_DAYS: whole(30, 1, 365),
  UPLOAD_URL_MINUTES: whole(360, 1, 10_080),
  DOWNLOAD_URL_MINUTES: whole(60, 1, 1440),
  MAX_OPEN_UPLOADS: whole(20, 1, 1000),
  MAX_OPEN_UPLOAD_MB: whole(25_600, 1, 100_000_000),
  DISK_RESERVE_MB: whole(1024, 0, 100_000_000),

  RATE_WINDOW_SECONDS: whole(60, 1, 86_400),
  RATE_SIGNUPS: whole(10, 1, 1_000_000),
  RATE_LOGINS: whole(30, 1, 1_000_000),
  RATE_LOGIN_FAILURES: whole(10, 1, 1_000_000),
  RATE_MAILS: whole(5, 1, 1_000_000),
  RATE_CALLS: whole(600, 1, 10_000_000),

  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(64).optional(),
  REPAIRS_PER_ACCOUNT: z.coerce.number().int().min(1).max(64).optional(),
  REPAIR_MEMORY_MB: whole(1024, 128, 65_536),
  REPAIR_TIMEOUT_SECONDS: whole(7200, 10, 82_800),
  REPAIR_ATTEMPTS: whole(3, 1, 10),
  MEDIA_CONTAINMENT: z.enum(['required', 'preferred']).optional(),

  SMTP_URL: z.string().optional(),
  MAIL_FROM: z.string().default('Mendframe <no-reply@localhost>'),

  GOOGLE_ISSUER: z.url().default('https://accounts.google.com'),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  APPLE_ISSUER: z.url().default('https://appleid.apple.com'),
  APPLE_SCRIPT_URL: z.url().optional(),
  APPLE_CLIENT_ID: z.string().optional(),
  APPLE_CLIENT_SECRET: z.string().optional(),
  APPLE_TEAM_ID: z.string().optional(),
  APPLE_KEY_ID: z.string().optional(),
  APPLE_PRIVATE_KEY: z.string().optional(),

  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  CHECKOUT_LINKS: packMap.optional(),
  STRIPE_PRICES: packMap.optional(),
})

export type Settings = z.infer<typeof settingsSchema>

/** Names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(settingsSchema.shape)
