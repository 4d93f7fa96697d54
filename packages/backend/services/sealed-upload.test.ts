import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploads } from '../src/db/schema.ts'
import {
  authenticate,
  beginUpload,
  type Context,
  createContext,
  loadConfig,
  recordArrival,
  signUp,
  sweep,
} from '../src/index.ts'
import { createTestPostgres, type TestPostgres } from '../testing/index.ts'

let postgres: TestPostgres
let folder: string
let context: Context
beforeAll(async () => {
  postgres = await createTestPostgres()
  folder = await mkdtemp(join(tmpdir(), 'mendframe-sealed-'))
  const store = JSON.parse(process.env.MENDFRAME_TEST_S3 ?? '{}')
  const settings = {
    MENDFRAME_DATA: folder,
    LOG_LEVEL: 'error',
    ...postgres.settings,
    S3_BUCKET: store.bucket,
    S3_ENDPOINT: store.endpoint,
    S3_REGION: store.region,
    S3_ACCESS_KEY_ID: store.accessKeyId,
    S3_SECRET_ACCESS_KEY: store.secretAccessKey,
  }
  context = await createContext(loadConfig(settings))
})
afterAll(async () => {
  await context.close()
  await postgres.drop()
  await rm(folder, { recursive: true, force: true })
})

test('an upload to a store that is sent again after the check is neither repaired nor kept', async () => {
  const { token } = await signUp(context, 'video', { email: 'sealed@example.com', password: 'x' })
  const session = await authenticate(context, `Bearer ${token}`)
  const contentType = 'video/mp4'
  const ticket = await beginUpload(context, session, 'video', { fileExtension: 'mp4', contentType })
  const send = async (body: Uint8Array<ArrayBuffer>) =>
    (await fetch(ticket.uploadUrl, { method: 'PUT', body, headers: { 'content-type': contentType } })).status
  const checked = new Uint8Array(5_000).fill(1)
  expect(await send(checked)).toBe(200)
  const { fileName, timestamp } = ticket
  const arrival = { fileName, timestamp, fileExtension: 'mp4', originalFileName: 'a.mp4' }
  expect(await recordArrival(context, session, 'video', arrival)).toMatchObject({ fileSize: checked.length })
  // Nobody can call a signed address of a store back.
  expect(await send(new Uint8Array(9_000).fill(2))).toBe(200)
  expect(await recordArrival(context, session, 'video', arrival)).toMatchObject({ fileSize: checked.length })
  const [upload] = await context.db.select().from(uploads).where(eq(uploads.fileName, fileName))
  const kept = await context.storage.read(upload?.storedKey ?? '', 0, 99_999)
  expect(Buffer.compare(kept, checked)).toBe(0)
  await sweep(context, { orphans: true })
  expect(await context.storage.head(`uploads/${fileName}`)).toBeUndefined()
  expect(await context.storage.head(upload?.storedKey ?? '')).toMatchObject({ size: checked.length })
})
