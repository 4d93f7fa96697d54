import { isIP } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { SetupError } from '../failure.ts'
import { type Settings, settingsSchema } from './settings.ts'

export interface ProviderConfig {
  readonly issuer: string
  readonly clientId: string
  /** The provider's script, for its own window. */
  readonly scriptUrl?: string
  /** A fixed secret, or the key with which Apple's short-lived one is made. */
  readonly secret: string | AppleKey
}

export interface AppleKey {
  readonly teamId: string
  readonly keyId: string
  /** PKCS#8 PEM. */
  readonly privateKey: string
}

export interface S3Config {
  readonly bucket: string
  readonly endpoint?: string
  /** Address under which browsers reach the store, when it is another one. */
  readonly publicEndpoint?: string
  readonly region: string
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  readonly forcePathStyle: boolean
}

/** The settings, checked and in the shape the code wants. Built once, from the environment. */
export interface Config {
  readonly mode: 'development' | 'production'
  readonly host: string
  readonly port: number
  /** Absolute path. */
  readonly dataFolder: string
  /** Address of the web app as people reach it, without a slash at its end. */
  readonly publicUrl: string
  /** Prefix of signed addresses of the folder driver; empty: relative to the answering origin. */
  readonly filesUrl: string
  readonly trustProxy: boolean | string | number
  readonly corsOrigins: readonly string[]
  readonly secret?: string
  readonly logLevel: Settings['LOG_LEVEL']
  readonly metricsToken?: string
  /** `undefined`: the embedded database in the data folder. */
  readonly databaseUrl?: string
  readonly databasePool: number
  /** `undefined`: files in the data folder. */
  readonly s3?: S3Config
  readonly sessionDays: number
  readonly uploadUrlMinutes: number
  readonly downloadUrlMinutes: number
  readonly maxOpenUploads: number
  readonly maxOpenUploadBytes: number
  /** Bytes of the data folder's disk that uploads and repairs leave alone. */
  readonly diskReserveBytes: number
  readonly rates: {
    readonly windowSeconds: number
    readonly signUps: number
    readonly logIns: number
    readonly logInFailures: number
    readonly mails: number
    readonly calls: number
  }
  readonly worker: {
    readonly concurrency: number
    /** Repairs of one account in work at the same time, over all workers. */
    readonly perAccount: number
    readonly memoryMb: number
    readonly timeoutSeconds: number
    readonly attempts: number
    /** Whether a worker may start where FFmpeg's process cannot be kept from the rest of the machine. */
    readonly containment: 'required' | 'preferred'
  }
  readonly smtpUrl?: string
  readonly mailFrom: string
  readonly google?: ProviderConfig
  readonly apple?: ProviderConfig
  readonly store: {
    readonly kind: 'none' | 'demo' | 'live'
    readonly webhookSecret?: string
    /** Checkout address by pack id. */
    readonly links: Readonly<Record<string, string>>
    /** Store price id by pack id, for events that name a price only. */
    readonly prices: Readonly<Record<string, string>>
  }
}

const BYTES_PER_MB = 2 ** 20

/** Bytes that engine or decoder, and what the system keeps of the files, take at most while a repair is in work. */
const MEMORY_OF_A_REPAIR = 2.5 * 2 ** 30
const MOST_AT_ONCE = 4

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads and checks all settings; empty variables count as not set.
 * @throws SetupError that names each wrong setting.
 */
export function loadConfig(environment: Environment): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const parsed = settingsSchema.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new SetupError(`Settings are not valid: ${lines.join('; ')}`)
  }
  const settings = parsed.data
  if (settings.MENDFRAME_MODE === 'production' && !settings.PUBLIC_URL) {
    throw new SetupError('PUBLIC_URL must be set in production: mails and sign-in return to it.')
  }
  if (settings.DATABASE_URL && !settings.MENDFRAME_SECRET) {
    throw new SetupError('MENDFRAME_SECRET must be set beside DATABASE_URL: all processes sign with it.')
  }
  const concurrency = settings.WORKER_CONCURRENCY ?? usualConcurrency()
  return {
    mode: settings.MENDFRAME_MODE,
    host: settings.HOST,
    port: settings.PORT,
    dataFolder: resolve(settings.MENDFRAME_DATA),
    publicUrl: (settings.PUBLIC_URL ?? localUrl(settings.HOST, settings.PORT)).replace(/\/+$/, ''),
    filesUrl: (settings.FILES_URL ?? '').replace(/\/+$/, ''),
    trustProxy: readTrustProxy(settings.TRUST_PROXY),
    corsOrigins: settings.CORS_ORIGINS,
    ...optional('secret', settings.MENDFRAME_SECRET),
    logLevel: settings.LOG_LEVEL,
    ...optional('metricsToken', settings.METRICS_TOKEN),
    ...optional('databaseUrl', settings.DATABASE_URL),
    databasePool: settings.DATABASE_POOL,
    ...optional('s3', readS3(settings)),
    sessionDays: settings.SESSION_DAYS,
    uploadUrlMinutes: settings.UPLOAD_URL_MINUTES,
    downloadUrlMinutes: settings.DOWNLOAD_URL_MINUTES,
    maxOpenUploads: settings.MAX_OPEN_UPLOADS,
    maxOpenUploadBytes: settings.MAX_OPEN_UPLOAD_MB * BYTES_PER_MB,
    diskReserveBytes: settings.DISK_RESERVE_MB * BYTES_PER_MB,
    rates: {
      windowSeconds: settings.RATE_WINDOW_SECONDS,
      signUps: settings.RATE_SIGNUPS,
      logIns: settings.RATE_LOGINS,
      logInFailures: settings.RATE_LOGIN_FAILURES,
      mails: settings.RATE_MAILS,
      calls: settings.RATE_CALLS,
    },
    worker: {
      concurrency,
      perAccount: settings.REPAIRS_PER_ACCOUNT ?? Math.max(1, concurrency - 1),
      memoryMb: settings.REPAIR_MEMORY_MB,
      timeoutSeconds: settings.REPAIR_TIMEOUT_SECONDS,
      attempts: settings.REPAIR_ATTEMPTS,
      containment:
        settings.MEDIA_CONTAINMENT ?? (settings.MENDFRAME_MODE === 'production' ? 'required' : 'preferred'),
    },
    ...optional('smtpUrl', settings.SMTP_URL),
    mailFrom: settings.MAIL_FROM,
    ...optional('google', readGoogle(settings)),
    ...optional('apple', readApple(settings)),
    store: readStore(settings),
  }
}

/** Repairs that a machine can do at once: one a processor, where each finds the memory it may take; more wait in line. */
function usualConcurrency(): number {
  const byMemory = Math.floor(totalmem() / MEMORY_OF_A_REPAIR)
  return Math.max(1, Math.min(MOST_AT_ONCE, availableParallelism(), byMemory))
}

function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [key in Name]?: Value } {
  const entry: { [key in Name]?: Value } = {}
  if (value !== undefined) entry[name] = value
  return entry
}

function localUrl(host: string, port: number): string {
  const anywhere = host === '0.0.0.0' || host === '::'
  const name = anywhere ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** `1` or `true`: trust the direct peer's forwarding header; a number of hops; or a list of addresses. */
function readTrustProxy(text: string | undefined): boolean | string | number {
  if (text === undefined || text === '0' || text === 'false') return false
  if (text === 'true') return true
  return /^\d+$/.test(text) ? Number(text) : text
}

function readS3(settings: Settings): S3Config | undefined {
  if (!settings.S3_BUCKET) return undefined
  if ((settings.S3_ACCESS_KEY_ID === undefined) !== (settings.S3_SECRET_ACCESS_KEY === undefined)) {
    throw new SetupError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together.')
  }
  return {
    bucket: settings.S3_BUCKET,
    ...optional('endpoint', settings.S3_ENDPOINT),
    ...optional('publicEndpoint', settings.S3_PUBLIC_ENDPOINT),
    region: settings.S3_REGION,
    ...optional('accessKeyId', settings.S3_ACCESS_KEY_ID),
    ...optional('secretAccessKey', settings.S3_SECRET_ACCESS_KEY),
    forcePathStyle: settings.S3_FORCE_PATH_STYLE,
  }
}

function readGoogle(settings: Settings): ProviderConfig | undefined {
  if (!settings.GOOGLE_CLIENT_ID) return undefined
  if (!settings.GOOGLE_CLIENT_SECRET)
    throw new SetupError('GOOGLE_CLIENT_SECRET must be set beside GOOGLE_CLIENT_ID.')
  return {
    issuer: settings.GOOGLE_ISSUER,
    clientId: settings.GOOGLE_CLIENT_ID,
    secret: settings.GOOGLE_CLIENT_SECRET,
  }
}

function readApple(settings: Settings): ProviderConfig | undefined {
  if (!settings.APPLE_CLIENT_ID) return undefined
  const { APPLE_TEAM_ID: teamId, APPLE_KEY_ID: keyId, APPLE_PRIVATE_KEY: key } = settings
  const about = {
    issuer: settings.APPLE_ISSUER,
    clientId: settings.APPLE_CLIENT_ID,
    ...(settings.APPLE_SCRIPT_URL === undefined ? {} : { scriptUrl: settings.APPLE_SCRIPT_URL }),
  }
  if (settings.APPLE_CLIENT_SECRET) return { ...about, secret: settings.APPLE_CLIENT_SECRET }
  if (!teamId || !keyId || !key) {
    throw new SetupError(
      'APPLE_CLIENT_ID needs APPLE_CLIENT_SECRET, or APPLE_TEAM_ID, APPLE_KEY_ID and APPLE_PRIVATE_KEY.',
    )
  }
  return { ...about, secret: { teamId, keyId, privateKey: key.replaceAll('\\n', '\n') } }
}

/** With no store configured, the demo store stands in; never in production. */
function readStore(settings: Settings): Config['store'] {
  const links = settings.CHECKOUT_LINKS ?? {}
  const prices = settings.STRIPE_PRICES ?? {}
  for (const [pack, link] of Object.entries(links)) {
    if (!z.url().safeParse(link).success) throw new SetupError(`CHECKOUT_LINKS: ${pack} is not an address.`)
  }
  if (settings.STRIPE_WEBHOOK_SECRET) {
    return { kind: 'live', webhookSecret: settings.STRIPE_WEBHOOK_SECRET, links, prices }
  }
  return { kind: settings.MENDFRAME_MODE === 'production' ? 'none' : 'demo', links: {}, prices: {} }
}
