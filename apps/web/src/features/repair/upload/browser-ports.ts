import { FLOW, PARTS } from '@mendframe/contract'
import { addressOf, call, resolveAddress } from '../../../shared/api/call.ts'
import { putWithXhr } from './put.ts'
import type { PartsApi, UploadPorts, UploadRequest } from './upload-ports.ts'

const parts: PartsApi = {
  create: (request) =>
    call(PARTS.create, {
      body: {
        product: request.product,
        role: request.role,
        fileExtension: request.extension,
        contentType: request.contentType,
        fileSize: request.file.size,
        timestamp: request.timestamp,
        originalFileName: request.file.name,
      },
    }),
  list: (uploadId) => call(PARTS.list, { query: { uploadId } }),
  sign: async (uploadId, partNumbers) => {
    const reply = await call(PARTS.sign, { body: { uploadId, partNumbers: [...partNumbers] } })
    const base = addressOf(PARTS.sign, {})
    return {
      urls: reply.urls.map(({ partNumber, uploadUrl }) => ({
        partNumber,
        uploadUrl: resolveAddress(uploadUrl, base),
      })),
    }
  },
  complete: (uploadId) => call(PARTS.complete, { body: { uploadId } }),
  abort: (uploadId) => call(PARTS.abort, { body: { uploadId } }),
}

async function ticket(request: UploadRequest) {
  const { file, extension, contentType, timestamp, product, signal } = request
  const shared = { fileExtension: extension, contentType, fileSize: file.size }
  const route = request.role === 'corrupt' ? FLOW[product].upload : FLOW[product].sampleUpload
  const reply =
    timestamp === undefined
      ? await call(FLOW[product].upload, { body: shared, signal })
      : await call(FLOW[product].sampleUpload, {
          body: { ...shared, timestamp, originalFileName: file.name },
          signal,
        })
  return { ...reply, uploadUrl: resolveAddress(reply.uploadUrl, addressOf(route, {})) }
}

const memory: UploadPorts['memory'] = {
  recall: (key) => localStorage.getItem(key) ?? undefined,
  remember: (key, uploadId) => localStorage.setItem(key, uploadId),
  forget: (key) => localStorage.removeItem(key),
}

function online(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (navigator.onLine) {
      resolve()
      return
    }
    const back = () => {
      signal.removeEventListener('abort', cancel)
      resolve()
    }
    const cancel = () => {
      window.removeEventListener('online', back)
      reject(signal.reason)
    }
    window.addEventListener('online', back, { once: true })
    signal.addEventListener('abort', cancel, { once: true })
  })
}

/** Waits, unless the signal fires first. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const cancel = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', cancel)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', cancel, { once: true })
  })
}

async function md5(body: Blob): Promise<string> {
  const [{ md5: hash }, bytes] = await Promise.all([import('hash-wasm'), body.arrayBuffer()])
  return hash(new Uint8Array(bytes))
}

/** Uploads as this browser makes them. */
export const browserUploadPorts: UploadPorts = {
  parts,
  ticket,
  put: putWithXhr,
  memory,
  isOnline: () => navigator.onLine,
  online,
  pause,
  md5,
}
