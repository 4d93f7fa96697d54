/** A `PUT` was answered, or not. */
export type PutOutcome =
  | { readonly kind: 'done'; readonly etag: string | undefined }
  | { readonly kind: 'refused'; readonly status: number }
  /** The connection broke or never came. */
  | { readonly kind: 'broken' }
  /** The browser gave the request up (not the visitor). */
  | { readonly kind: 'aborted' }

export interface PutRequest {
  readonly url: string
  readonly body: Blob
  /** Sent as content type; left out where the address binds none. */
  readonly contentType: string | undefined
  readonly onProgress: (sent: number) => void
  readonly signal: AbortSignal
}

/** Sends bytes to a signed address. Rejects with the signal's reason when the visitor cancels. */
export type Put = (request: PutRequest) => Promise<PutOutcome>

/** The browser's `PUT` with progress; `fetch` cannot tell how much of a body is sent. */
export const putWithXhr: Put = (request) =>
  new Promise((resolve, reject) => {
    if (request.signal.aborted) {
      reject(request.signal.reason)
      return
    }
    const xhr = new XMLHttpRequest()
    const cancel = () => {
      reject(request.signal.reason)
      xhr.abort()
    }
    const settle = (outcome: PutOutcome) => {
      request.signal.removeEventListener('abort', cancel)
      resolve(outcome)
    }
    request.signal.addEventListener('abort', cancel, { once: true })
    xhr.upload.onprogress = (event) => request.onProgress(event.loaded)
    xhr.onload = () => {
      const ok = xhr.status >= 200 && xhr.status < 300
      settle(
        ok
          ? { kind: 'done', etag: xhr.getResponseHeader('etag') ?? undefined }
          : { kind: 'refused', status: xhr.status },
      )
    }
    xhr.onerror = () => settle({ kind: 'broken' })
    xhr.onabort = () => settle({ kind: 'aborted' })
    xhr.open('PUT', request.url)
    if (request.contentType !== undefined) xhr.setRequestHeader('content-type', request.contentType)
    xhr.send(request.body)
  })
