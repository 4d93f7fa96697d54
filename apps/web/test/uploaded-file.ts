import type { UploadedFile } from '@mendframe/contract'

/** A record as the service sends it. */
export function uploadedFile(change: Partial<UploadedFile>): UploadedFile {
  return {
    product: 'video',
    originalfilename: 'broken.mp4',
    originalfileSize: 84.12,
    originalfileBytes: 88_211_200,
    extension: 'mp4',
    renamefilename: 'n.mp4',
    timestamp: '1790000000000',
    status: 'Sample_File_Uploaded',
    email: 'mira@example.com',
    originalsamplefilename: 'whole.mp4',
    originalsamplefileSize: 3,
    file_status: 'Available',
    created_date: '2026-11-20T08:00:00Z',
    unique_id: 'u',
    plan: 'Free',
    ...change,
  }
}
