import { createServer, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { S3Storage } from '../src/storage/s3-storage.ts'
import { type StorageUnderTest, storageSuite } from '../test/support/storage-suite.ts'

/** `MENDFRAME_TEST_S3`: JSON that names an S3-compatible store with a bucket for tests. */
const settings = z
  .object({
    endpoint: z.url(),
    bucket: z.string(),
    region: z.string().default('us-east-1'),
    accessKeyId: z.string(),
    secretAccessKey: z.string(),
  })
  .parse(JSON.parse(process.env.MENDFRAME_TEST_S3 ?? '{}'))

const config = { ...settings, forcePathStyle: true }

/** Plain HTTP, so that no client mends what is sent. */
function request(
  method: 'GET' | 'PUT',
  address: string,
  options: { body?: Buffer; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const length = options.body === undefined ? {} : { 'content-length': String(options.body.length) }
    const sent = send(address, { method, headers: { ...length, ...options.headers } })
    sent.on('response', async (response) => {
      resolve({ status: response.statusCode ?? 0, body: await buffer(response) })
    })
    sent.on('error', reject)
    sent.end(options.body)
  })
}

storageSuite('the S3 store', async (): Promise<StorageUnderTest> => {
  const storage = new S3Storage(config)
  return { storage, request, close: async () => storage.close() }
})

test('a store that is away is an error, not an absent object', async () => {
  const server = createServer((_request, response) => response.writeHead(503).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const storage = new S3Storage({ ...config, endpoint: `http://127.0.0.1:${port}` })
  await expect(storage.head('uploads/x.mp4')).rejects.toThrow()
  storage.close()
  server.close()
})
