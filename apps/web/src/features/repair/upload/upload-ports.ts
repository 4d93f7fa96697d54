import type { Product } from '@mendframe/contract'
import type { Put } from './put.ts'

/** What the service calls an upload. */
export interface UploadTicket {
  readonly fileName: string
  readonly timestamp: string
}

/** A file to send, and what its sender wants to hear. */
export interface UploadRequest {
  readonly product: Product
  readonly role: 'corrupt' | 'sample'
  readonly file: File
  readonly extension: string
  readonly contentType: string
  /** The damaged upload that a sample belongs to. */
  readonly timestamp: string | undefined
  readonly signal: AbortSignal
  /** Bytes that have left this machine, altogether. */
  readonly onProgress: (sent: number) => void
  /** Bytes that an earlier visit had sent. */
  readonly onResume: (sent: number) => void
  /** The connection is gone; the upload goes on when it is back. */
  readonly onWaiting: () => void
  /** Everything is sent; the service is putting it together. */
  readonly onConfirming: () => void
}

/** The service's calls for uploads in parts. */
export interface PartsApi {
  create(
    request: UploadRequest,
  ): Promise<UploadTicket & { uploadId: string; partSize: number; partCount: number }>
  list(uploadId: string): Promise<
    UploadTicket & {
      fileSize: number
      partSize: number
      partCount: number
      parts: readonly { readonly partNumber: number; readonly size: number }[]
    }
  >
  sign(
    uploadId: string,
    partNumbers: readonly number[],
  ): Promise<{ urls: readonly { readonly partNumber: number; readonly uploadUrl: string }[] }>
  complete(uploadId: string): Promise<unknown>
  abort(uploadId: string): Promise<unknown>
}

/** What an upload needs of the world. */
export interface UploadPorts {
  readonly parts: PartsApi
  /** Asks for the address of a file that goes in one piece. */
  readonly ticket: (request: UploadRequest) => Promise<UploadTicket & { uploadUrl: string }>
  readonly put: Put
  /** Unfinished uploads, remembered across visits. */
  readonly memory: {
    recall(key: string): string | undefined
    remember(key: string, uploadId: string): void
    forget(key: string): void
  }
  readonly isOnline: () => boolean
  /** Resolves when the connection is back. */
  readonly online: (signal: AbortSignal) => Promise<void>
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** MD5 of a piece, in lower-case hexadecimal. */
  readonly md5: (body: Blob) => Promise<string>
}
