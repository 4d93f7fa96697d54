import {
  attachment,
  type Context,
  checkReceivable,
  checkSpace,
  FILES_PATH,
  FolderStorage,
  noteReceived,
  ServiceFailure,
  type SignedAccess,
  UploadRefused,
} from '@mendframe/backend'
import { tooLargeFor } from '@mendframe/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { parseRange } from '../range.ts'

/** Signed uploads and downloads of the folder driver. An S3 store answers its own addresses. */
export function addFiles(app: App, context: Context): void {
  const { storage } = context
  if (!(storage instanceof FolderStorage)) return
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    const hidden = { schema: { hide: true }, config: { rateLimit: false as const } }
    scope.put(`${FILES_PATH}*`, hidden, (request, reply) => receive(context, storage, request, reply))
    scope.get(`${FILES_PATH}*`, { ...hidden, exposeHeadRoute: false }, (request, reply) =>
      deliver(storage, request, reply),
    )
    scope.head(`${FILES_PATH}*`, hidden, (request, reply) => deliver(storage, request, reply))
  })
}

/** The access that a request's address grants; the key is compared as it was sent, undecoded. */
function accessOf(storage: FolderStorage, request: FastifyRequest): SignedAccess | undefined {
  const [path = '', query = ''] = (request.raw.url ?? '').split('?')
  return storage.verify(request.method, path.slice(FILES_PATH.length), new URLSearchParams(query))
}

async function receive(
  context: Context,
  storage: FolderStorage,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  // Whoever is refused does not get to send the rest of five gigabytes.
  reply.header('connection', 'close')
  const access = accessOf(storage, request)
  if (!access) throw new ServiceFailure('upload.address-refused')
  if (access.contentType !== undefined && request.headers['content-type'] !== access.contentType) {
    throw new ServiceFailure('upload.address-refused')
  }
  checkAnnounced(access, request.headers['content-length'])
  await checkReceivable(context, access.key, access.part?.driverId)
  const length = request.headers['content-length']
  const announced = length === undefined ? undefined : Number(length)
  await checkSpace(context, storage.coming() + (announced ?? access.size ?? access.maxBytes ?? 0))
  try {
    await storage.receive(access, request.raw, announced)
  } catch (error) {
    if (!(error instanceof UploadRefused)) throw error
    const codes = {
      'too-large': tooLargeFor(access.maxBytes ?? 0),
      'size-differs': 'upload.size-differs',
      closed: 'upload.closed',
    } as const
    throw new ServiceFailure(codes[error.reason])
  }
  if (!access.part) await noteReceived(context, access.key)
  return reply.removeHeader('connection').code(200).send({ success: true })
}

/** Refuses at once what is announced as too large, before any byte is read. */
function checkAnnounced(access: SignedAccess, header: string | undefined): void {
  if (header === undefined) return
  const announced = Number(header)
  if (access.size !== undefined && announced !== access.size) throw new ServiceFailure('upload.size-differs')
  if (access.maxBytes !== undefined && announced > access.maxBytes)
    throw new ServiceFailure(tooLargeFor(access.maxBytes))
}

/** Answers a download, whole or in the one range that players and resuming browsers ask for, RFC 9110 §14. */
async function deliver(storage: FolderStorage, request: FastifyRequest, reply: FastifyReply) {
  const access = accessOf(storage, request)
  if (!access) throw new ServiceFailure('download.address-refused')
  const found = await storage.head(access.key)
  if (!found) throw new ServiceFailure('file.deleted')
  const tag = `"${found.size.toString(36)}-${found.modified.getTime().toString(36)}"`
  reply
    .header('accept-ranges', 'bytes')
    .header('etag', tag)
    .header('last-modified', found.modified.toUTCString())
    .header('cache-control', 'private, max-age=0, must-revalidate')
    .header('content-disposition', access.saveAs === undefined ? 'inline' : attachment(access.saveAs))
    .type(access.contentType ?? 'application/octet-stream')
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  const condition = request.headers['if-range']
  const asked = condition === undefined || condition === tag ? request.headers.range : undefined
  const range = parseRange(asked, found.size)
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${found.size}`)
    throw new ServiceFailure('download.range-unsatisfiable')
  }
  if (range) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${found.size}`)
  }
  const length = range ? range.end - range.start + 1 : found.size
  reply.header('content-length', length)
  if (request.method === 'HEAD' || length === 0) return reply.send('')
  return reply.send(await storage.open(access.key, range))
}
