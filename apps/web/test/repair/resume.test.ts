import type { UploadedFile } from '@mendframe/contract'
import { describe, expect, it } from 'vitest'
import { resumeOutcome } from '../../src/features/repair/flow/resume.ts'
import { ApiFailure, NoAnswer } from '../../src/shared/api/failure.ts'
import { uploadedFile } from '../uploaded-file.ts'

const outcome = (answer: UploadedFile | Error, id = 'u', email = 'mira@example.com') =>
  resumeOutcome(id, email, {
    byUniqueId: async () => {
      if (answer instanceof Error) throw answer
      return answer
    },
  }).then(({ kind }) => kind)

describe('the resume page', () => {
  it('goes on with an upload of its owner in both resumable states', async () => {
    expect(await outcome(uploadedFile({ status: 'Corrut_File_Uploaded' }))).toBe('resume')
    expect(await outcome(uploadedFile({ status: 'Sample_File_Uploaded' }))).toBe('resume')
  })

  it('goes to the start page for a repaired file, a deleted one, and another owner', async () => {
    expect(await outcome(uploadedFile({ status: 'Repair_Completed' }))).toBe('home')
    expect(await outcome(uploadedFile({ file_status: 'Deleted' }))).toBe('home')
    expect(await outcome(uploadedFile({ email: 'else@example.com' }))).toBe('home')
  })

  it('goes to the start page without an id and when the call fails', async () => {
    expect(await outcome(uploadedFile({}), '')).toBe('home')
    expect(await outcome(new ApiFailure(404, 'file.unknown', 'x'))).toBe('home')
    expect(await outcome(new NoAnswer('offline'))).toBe('home')
  })

  it('opens the log-in dialog when the session has ended', async () => {
    expect(await outcome(new ApiFailure(401, 'auth.required', 'x'))).toBe('sign-in')
  })
})
