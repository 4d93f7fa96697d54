import { MULTIPART_THRESHOLD_BYTES } from '@mendframe/contract'
import { abandonParts, uploadInParts } from './parts.ts'
import { textOfPut, UploadFailed } from './upload-errors.ts'
import type { UploadPorts, UploadRequest, UploadTicket } from './upload-ports.ts'

/**
 * Sends a file: in one piece as specified, or in resumable parts above 100 MB.
 * @throws UploadFailed with the text for the visitor
 * @throws ApiFailure | NoAnswer when a call around the upload fails
 */
export async function sendFile(request: UploadRequest, ports: UploadPorts): Promise<UploadTicket> {
  if (request.file.size > MULTIPART_THRESHOLD_BYTES) return uploadInParts(request, ports)
  const { uploadUrl, fileName, timestamp } = await ports.ticket(request)
  const outcome = await ports.put({
    url: uploadUrl,
    body: request.file,
    contentType: request.contentType,
    signal: request.signal,
    onProgress: request.onProgress,
  })
  if (outcome.kind !== 'done') throw new UploadFailed(textOfPut(outcome, ports.isOnline()))
  request.onConfirming()
  return { fileName, timestamp }
}

/** The visitor cancelled: what was kept for a later visit is given up. */
export async function abandonFile(request: UploadRequest, ports: UploadPorts): Promise<void> {
  if (request.file.size > MULTIPART_THRESHOLD_BYTES) await abandonParts(request, ports)
}
