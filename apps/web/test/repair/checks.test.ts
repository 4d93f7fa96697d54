import { describe, expect, it } from 'vitest'
import { type AccountFacts, checkMain, checkSampleFile } from '../../src/features/repair/flow/checks.ts'

const GIB_5 = 5_368_709_120

const facts = (change: Partial<AccountFacts> = {}): AccountFacts => ({
  plan: 'Free',
  uploadedFiles: [],
  totalRecharges: 0,
  usedRecharges: 0,
  ...change,
})

function check(change: {
  signedIn?: boolean
  facts?: Partial<AccountFacts>
  files?: { name: string; size: number }[]
  allowed?: boolean
  reported?: number[]
  asked?: string[]
}) {
  return checkMain({
    product: 'video',
    signedIn: change.signedIn ?? true,
    facts: async () => facts(change.facts),
    files: change.files ?? [{ name: 'clip.mp4', size: 1000 }],
    askService: async () => {
      change.asked?.push('service')
      return change.allowed ?? true
    },
    reportSize: async (bytes) => {
      change.reported?.push(bytes)
    },
  })
}

const done = (plan: 'Free' | 'Premium') => ({ status: 'Repair_Completed' as const, plan })

describe('the checks before an upload', () => {
  it('say of a file without a byte that there is nothing in it, and of another format so first', async () => {
    const text = 'This file is empty: there is nothing in it that could be repaired.'
    expect(await check({ files: [{ name: 'clip.mp4', size: 0 }] })).toEqual({ kind: 'refused', text })
    expect(await check({ files: [{ name: 'clip.txt', size: 0 }] })).toMatchObject({
      text: 'Unsupported file format.',
    })
  })

  it('let a good file of a Free user pass', async () => {
    expect(await check({})).toEqual({ kind: 'go' })
  })

  it('send a guest to the log-in dialog before anything else is looked at', async () => {
    const asked: string[] = []
    expect(
      await check({ signedIn: false, allowed: false, files: [{ name: 'x.txt', size: GIB_5 + 1 }], asked }),
    ).toEqual({
      kind: 'sign-in',
    })
    expect(asked).toEqual([])
  })

  it('ask the service for everyone but Premium, and obey its no', async () => {
    expect(await check({ allowed: false })).toEqual({ kind: 'plan-limit' })
    const asked: string[] = []
    await check({ facts: { plan: 'Premium', totalRecharges: 10 }, asked })
    expect(asked).toEqual([])
  })

  it('stop a Free user with one completed repair, whatever the service says', async () => {
    expect(await check({ facts: { uploadedFiles: [done('Free')] } })).toEqual({ kind: 'plan-limit' })
  })

  it('do not count a Premium repair of the past against the Free plan', async () => {
    expect(await check({ facts: { uploadedFiles: [done('Premium')] } })).toEqual({ kind: 'go' })
  })

  it('stop a Premium user whose repairs are used up', async () => {
    const premium = { plan: 'Premium', totalRecharges: 10 }
    expect(await check({ facts: { ...premium, usedRecharges: 10 } })).toEqual({ kind: 'exhausted' })
    expect(await check({ facts: { ...premium, usedRecharges: 9 } })).toEqual({ kind: 'go' })
  })

  it('count completed Premium repairs when the service has not said how many are used', async () => {
    const premium = { plan: 'Premium', totalRecharges: 1, usedRecharges: undefined }
    expect(await check({ facts: { ...premium, uploadedFiles: [done('Premium')] } })).toEqual({
      kind: 'exhausted',
    })
  })

  it('report a file above 5 GB and show its dialog, at the very byte', async () => {
    const reported: number[] = []
    expect(await check({ files: [{ name: 'a.mp4', size: GIB_5 }], reported })).toEqual({ kind: 'go' })
    expect(await check({ files: [{ name: 'a.mp4', size: GIB_5 + 1 }], reported })).toEqual({
      kind: 'too-large',
    })
    expect(reported).toEqual([GIB_5 + 1])
  })

  it('look at the size before the number of files, and at the number before the extension', async () => {
    const large = { name: 'a.mp4', size: GIB_5 + 1 }
    const text = { name: 'a.txt', size: 1 }
    expect(await check({ files: [large, text] })).toEqual({ kind: 'too-large' })
    expect(await check({ files: [text, text] })).toEqual({
      kind: 'refused',
      text: 'You can only upload one file.',
    })
    expect(await check({ files: [text] })).toEqual({ kind: 'refused', text: 'Unsupported file format.' })
  })

  it('take an extension in any case', async () => {
    expect(await check({ files: [{ name: 'MVI_0001.MTS', size: 5 }] })).toEqual({ kind: 'go' })
  })
})

describe('the checks of a sample', () => {
  const damaged = { name: 'broken.mp4', bytes: 5, extension: 'mp4' }
  const refusal = (...files: { name: string; size: number }[]) => checkSampleFile('video', damaged, files)

  it('take a file of the same extension and another name', () => {
    expect(refusal({ name: 'whole.MP4', size: 5 })).toBeUndefined()
  })

  it('name the extension that is wanted', () => {
    expect(refusal({ name: 'whole.mov', size: 5 })).toBe(
      'Invalid File Type. Please upload a video file with the .mp4 extension.',
    )
  })

  it('refuse the damaged file itself, a file above 5 GB, and several files', () => {
    expect(refusal({ name: 'broken.mp4', size: 5 })).toBe(
      'You are uploading the same file. Please choose a different file.',
    )
    expect(refusal({ name: 'whole.mp4', size: GIB_5 + 1 })).toBe('File size exceeds 5GB limit.')
    expect(refusal({ name: 'whole.mp4', size: 5 }, { name: 'more.mp4', size: 5 })).toBe(
      'You can only upload one file.',
    )
  })

  it('speak of photos and of their limit in the photo flavour', () => {
    const damaged = { name: 'broken.jpg', extension: 'jpg', bytes: 1000 }
    const refused = (name: string, size = 1) => checkSampleFile('photo', damaged, [{ name, size }])
    expect(refused('whole.heic')).toBe(
      'Invalid File Type. Please upload a photo file with the .jpg extension.',
    )
    expect(refused('whole.jpg', 500 * 2 ** 20 + 1)).toBe('File size exceeds 500MB limit.')
    expect(refused('whole.jpg', 500 * 2 ** 20)).toBeUndefined()
    expect(checkSampleFile('photo', damaged, [])).toBe('Please upload the Sample Photo.')
  })
})
