import { copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  authenticate,
  beginSample,
  beginUpload,
  type Context,
  checkProgress,
  createContext,
  loadConfig,
  type Mail,
  type Overrides,
  recordArrival,
  type Session,
  signUp,
  startRepair,
  uploadKey,
} from '@mendframe/backend'
import { createTestPostgres, isPostgresTested, testDatabase } from '@mendframe/backend/testing'
import type { Enhancement, ProgressReply } from '@mendframe/contract'

/**
 * A context on a folder of its own, with a database in memory unless it has to outlive a process; or on a `folder` that is there.
 */
export async function openRig(
  options: { folder?: string; settings?: Record<string, string>; onDisk?: boolean } & Overrides = {},
): Promise<Rig> {
  const { folder: given, settings, onDisk, ...overrides } = options
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'mendframe-worker-')))
  const postgres =
    isPostgresTested() && !onDisk && given === undefined ? await createTestPostgres() : undefined
  const config = loadConfig({
    MENDFRAME_DATA: folder,
    LOG_LEVEL: 'fatal',
    ...postgres?.settings,
    ...settings,
  })
  const mails: Mail[] = []
  const mailer = {
    send: async (mail: Mail) => {
      mails.push(mail)
    },
    close: () => {},
  }
  const fresh = given === undefined && postgres === undefined
  const database = fresh ? { embeddedDatabase: await testDatabase(onDisk ? folder : undefined) } : {}
  const context = await createContext(config, { mailer, ...database, ...overrides })
  const remove = async () => {
    await postgres?.drop()
    await rm(folder, { recursive: true, force: true })
  }
  return { folder, context, mails, remove }
}

export interface Rig {
  readonly folder: string
  readonly context: Context
  readonly mails: Mail[]
  remove(): Promise<void>
}

export interface Begun {
  readonly session: Session
  readonly timestamp: string
  readonly fileName: string
}

/** Files of a repair: paths, or bytes. */
export interface Inputs {
  readonly damaged: string | Buffer
  readonly sample: string | Buffer
  readonly extension?: string
  readonly enhancements?: readonly Enhancement[]
  /** Whose; a new account when absent. */
  readonly session?: Session
}

/** An account with an upload and a sample whose repair waits in the queue. */
export async function beginRepair(
  rig: Rig,
  email: string,
  inputs: Inputs,
  beforeStart: () => void = () => {},
): Promise<Begun> {
  const { context } = rig
  const session = inputs.session ?? (await newSession(context, email))
  const fileExtension = inputs.extension ?? 'mp4'
  const ticket = await beginUpload(context, session, 'video', { fileExtension, contentType: '' })
  await store(rig, uploadKey(ticket.fileName), inputs.damaged)
  const { fileName, timestamp } = ticket
  await recordArrival(context, session, 'video', {
    fileName,
    fileExtension,
    timestamp,
    originalFileName: `film.${fileExtension}`,
  })
  const path = join(rig.folder, 'sample')
  const bytes = typeof inputs.sample === 'string' ? inputs.sample : path
  if (typeof inputs.sample !== 'string') await writeFile(path, inputs.sample)
  const { size } = await stat(bytes)
  const sample = await beginSample(context, session, 'video', {
    fileExtension,
    fileSize: size,
    timestamp,
    contentType: '',
    originalFileName: `sample.${fileExtension}`,
  })
  await store(rig, uploadKey(sample.fileName), inputs.sample)
  const { enhancements } = inputs
  beforeStart()
  await startRepair(context, session, 'video', {
    videoPath: fileName,
    videocreatedTime: timestamp,
    enhancements,
  })
  return { session, timestamp, fileName }
}

async function newSession(context: Context, email: string): Promise<Session> {
  const { token } = await signUp(context, 'video', { email, password: 'x' })
  return authenticate(context, `Bearer ${token}`)
}

async function store(rig: Rig, key: string, bytes: string | Buffer): Promise<void> {
  const path = join(rig.folder, 'stored')
  if (typeof bytes === 'string') await copyFile(bytes, path)
  else await writeFile(path, bytes)
  await rig.context.storage.storeFile(key, path, 'application/octet-stream')
}

/** An account with a damaged photo whose repair waits in the queue. */
export async function beginPhotoRepair(
  rig: Rig,
  email: string,
  damaged: string | Buffer,
  fileExtension = 'jpg',
): Promise<Begun> {
  const { context } = rig
  const reply = await signUp(context, 'photo', { email, password: 'x' })
  const session = await authenticate(context, `Bearer ${reply.token}`)
  const ticket = await beginUpload(context, session, 'photo', { fileExtension, contentType: '' })
  await store(rig, uploadKey(ticket.fileName), damaged)
  const { fileName, timestamp } = ticket
  const originalFileName = `beach.${fileExtension}`
  await recordArrival(context, session, 'photo', { fileName, fileExtension, timestamp, originalFileName })
  await startRepair(context, session, 'photo', { videoPath: fileName, videocreatedTime: timestamp })
  return { session, timestamp, fileName }
}

/** Waits until a repair has ended. */
export async function ended(rig: Rig, begun: Begun, patience = 50_000): Promise<ProgressReply> {
  const until = Date.now() + patience
  for (;;) {
    const progress = await checkProgress(rig.context, begun.session, undefined, begun.timestamp)
    if (progress.status !== 'Running') return progress
    if (Date.now() > until) throw new Error(`still ${progress.repairingStatus}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Waits until something holds. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  patience = 30_000,
): Promise<void> {
  const end = Date.now() + patience
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`never: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
