import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'

/** Bytes that are copied in one request: stores take longer for more, and refuse more than 5 GB. */
const COPY_BYTES = 256 * 2 ** 20
/** Requests under way at once for one large object. */
const AT_ONCE = 4

/** Copies an object of `size` bytes inside a bucket; no byte of it passes through this process. */
export async function copyObject(
  client: S3Client,
  bucket: string,
  from: string,
  to: string,
  size: number,
): Promise<void> {
  const CopySource = `${bucket}/${from}`
  const target = { Bucket: bucket, Key: to }
  if (size <= COPY_BYTES) {
    await client.send(new CopyObjectCommand({ ...target, CopySource }))
    return
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target))
  const upload = { ...target, UploadId }
  const count = Math.ceil(size / COPY_BYTES)
  const parts: { PartNumber: number; ETag: string | undefined }[] = []
  const copyFrom = async (first: number): Promise<void> => {
    for (let PartNumber = first; PartNumber <= count; PartNumber += AT_ONCE) {
      const start = (PartNumber - 1) * COPY_BYTES
      const CopySourceRange = `bytes=${start}-${Math.min(size, start + COPY_BYTES) - 1}`
      const command = new UploadPartCopyCommand({ ...upload, PartNumber, CopySource, CopySourceRange })
      const { CopyPartResult } = await client.send(command)
      parts[PartNumber - 1] = { PartNumber, ETag: CopyPartResult?.ETag }
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => copyFrom(index + 1)))
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }))
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload))
    throw error
  }
}
