import { cancelRepair, findDownload, mayUpload, readReport } from '@mendframe/backend'
import { sql } from '@mendframe/backend/testing'
import { EngineCrashError, EngineLimitError, EnvironmentError } from '@mendframe/runner'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startWorker, type Worker } from '../src/index.ts'
import { MOST_TAKEN } from '../src/tries.ts'
import { pretendedTools, waitForStop } from './support/pretended-tools.ts'
import { beginRepair, ended, openRig, type Rig, until } from './support/rig.ts'

const INPUTS = { damaged: Buffer.alloc(500, 1), sample: Buffer.alloc(400, 2) }
let rig: Rig
let worker: Worker | undefined
beforeEach(async () => {
  rig = await openRig()
})
afterEach(async () => {
  await worker?.close()
  worker = undefined
  await rig.context.close()
  await rig.remove()
})

const keys = async () => {
  const found: string[] = []
  for await (const { key } of rig.context.storage.list('')) found.push(key.replace(/\/[a-z0-9]{25}/, '/*'))
  return found.sort()
}

describe('a full disk', () => {
  test('ends a repair at once, with a line that says so, and gives its place back', async () => {
    let tries = 0
    const full = async (step: string) => {
      if (step !== 'repair') return
      tries++
      throw new EnvironmentError('cannot write the output', {
        cause: Object.assign(new Error(), { code: 'ENOSPC' }),
      })
    }
    worker = await startWorker(rig.context, { tools: pretendedTools(full) })
    const begun = await beginRepair(rig, 'full@example.com', INPUTS)
    const progress = await ended(rig, begun)
    expect(progress).toMatchObject({ status: 'Failed' })
    expect(progress.message).toMatch(/no room left/)
    expect(tries).toBe(1)
    expect(await mayUpload(rig.context, begun.session, 'video')).toBe(true)
  })

  test('is noticed before a repair begins, so that the reserve stays', async () => {
    let tries = 0
    worker = await startWorker(rig.context, {
      tools: pretendedTools(async () => {
        tries++
      }),
    })
    const begun = await beginRepair(rig, 'reserve@example.com', INPUTS, () => {
      rig.context.space.free = async () => rig.context.config.diskReserveBytes
    })
    expect(await ended(rig, begun)).toMatchObject({ status: 'Failed' })
    expect(tries).toBe(0)
  })
})

describe('a repair', () => {
  test('ends with result, preview, status, spent place and one mail', async () => {
    worker = await startWorker(rig.context, { tools: pretendedTools(async () => {}) })
    const begun = await beginRepair(rig, 'done@example.com', INPUTS)
    expect(await ended(rig, begun)).toMatchObject({ status: 'Completed', progress: 100, verdict: 'repaired' })
    expect(await keys()).toEqual([
      'previews/*-1.preview.mp4',
      'previews/*-1.still.jpg',
      'previews/*-1.still2.jpg',
      'results/*-1.mp4',
      'sealed/*.mp4',
      'sealed/*.mp4',
    ])
    const found = await findDownload(rig.context, begun.session, 'video', begun)
    expect(found).toMatchObject({ full: true, info: 'Free' })
    expect(found.playableUrl).toContain('/previews/')
    expect(found.photoDownloadUrl).toContain('.still.jpg')
    expect(found.photoDownloadUrl1).toContain('.still2.jpg')
    expect(await mayUpload(rig.context, begun.session, 'video')).toBe(false)
    await until('the mail is sent', () => rig.mails.some((mail) => mail.subject.includes('ready')))
    expect(rig.mails.filter((mail) => mail.subject.includes('ready'))).toHaveLength(1)
  })

  test('of a kind that browsers do not play has a preview in its own form, a converted one and two stills', async () => {
    worker = await startWorker(rig.context, { tools: pretendedTools(async () => {}) })
    const begun = await beginRepair(rig, 'avi@example.com', { ...INPUTS, extension: 'avi' })
    await ended(rig, begun)
    const found = await findDownload(rig.context, begun.session, 'video', begun)
    expect(found.previewDownloadUrl).toContain('.preview.avi')
    expect(found.playableUrl).toContain('.play.mp4')
    expect(found.photoDownloadUrl).toContain('.still.jpg')
    expect(found.photoDownloadUrl1).toContain('.still2.jpg')
  })

  test('that finds nothing wrong gives its place back and says so', async () => {
    worker = await startWorker(rig.context, { tools: pretendedTools(async () => {}, 'healthy') })
    const begun = await beginRepair(rig, 'healthy@example.com', INPUTS)
    const progress = await ended(rig, begun)
    expect(progress).toMatchObject({ status: 'Completed', verdict: 'healthy' })
    expect(progress.message).toContain('Nothing is wrong')
    expect(await mayUpload(rig.context, begun.session, 'video')).toBe(true)
    expect(await readReport(rig.context, begun.session, begun.timestamp)).toMatchObject({
      verdict: 'healthy',
    })
    expect(await keys()).toEqual(['sealed/*.mp4', 'sealed/*.mp4'])
  })

  test('that cannot be done fails with its reason, its report and a mail', async () => {
    worker = await startWorker(rig.context, { tools: pretendedTools(async () => {}, 'unrepairable') })
    const begun = await beginRepair(rig, 'hopeless@example.com', INPUTS)
    expect(await ended(rig, begun)).toMatchObject({
      status: 'Failed',
      verdict: 'unrepairable',
      message: 'Nothing in it can be repaired.',
    })
    expect(await mayUpload(rig.context, begun.session, 'video')).toBe(true)
    await until('the mail is sent', () =>
      rig.mails.some((mail) => mail.subject.includes('could not be repaired')),
    )
  })

  test('that needs more than it may take fails at once and is not tried again', async () => {
    let calls = 0
    const tools = pretendedTools(async (step) => {
      if (step !== 'repair') return
      calls++
      throw new EngineLimitError('memory', 'more than 1024 MiB')
    })
    worker = await startWorker(rig.context, { tools })
    const begun = await beginRepair(rig, 'large@example.com', INPUTS)
    const progress = await ended(rig, begun)
    expect(progress).toMatchObject({ status: 'Failed' })
    expect(progress.message).toContain('more memory or time')
    expect(calls).toBe(1)
  })

  test('that crashes is tried again and then succeeds', async () => {
    let calls = 0
    const tools = pretendedTools(async (step) => {
      if (step === 'repair' && ++calls < 3) throw new EngineCrashError('it died', '')
    })
    worker = await startWorker(rig.context, { tools })
    const begun = await beginRepair(rig, 'stubborn@example.com', INPUTS)
    expect(await ended(rig, begun)).toMatchObject({ status: 'Completed' })
    expect(calls).toBe(3)
    expect((await keys()).filter((key) => key.startsWith('results/'))).toEqual(['results/*-3.mp4'])
  })

  test('that crashes every time fails, gives its place back and is told', async () => {
    let calls = 0
    const tools = pretendedTools(async () => {
      calls++
      throw new EngineCrashError('it died', '')
    })
    worker = await startWorker(rig.context, { tools })
    const begun = await beginRepair(rig, 'doomed@example.com', INPUTS)
    expect(await ended(rig, begun)).toMatchObject({
      status: 'Failed',
      message: 'An error occurred during the repair process.',
    })
    expect(calls).toBe(3)
    expect(await mayUpload(rig.context, begun.session, 'video')).toBe(true)
  })

  test('that was handed back as often as it may crash is tried again after one crash', async () => {
    let calls = 0
    const tools = pretendedTools(async (step, signal) => {
      if (step !== 'repair') return
      calls++
      if (calls <= 3) await waitForStop(signal)
      if (calls === 4) throw new EngineCrashError('it died', '')
    })
    const begun = await beginRepair(rig, 'restarted@example.com', INPUTS)
    for (let stop = 1; stop <= 3; stop++) {
      worker = await startWorker(rig.context, { tools })
      await until(`the engine runs for the ${stop}. time`, () => calls === stop)
      await worker.close()
    }
    worker = await startWorker(rig.context, { tools })
    expect(await ended(rig, begun)).toMatchObject({ status: 'Completed' })
    expect(calls).toBe(5)
  })

  test('that fell with what is around it counts no crash and waits before it is taken again', async () => {
    let calls = 0
    const tools = pretendedTools(async (step) => {
      if (step === 'repair' && ++calls === 1) throw new EnvironmentError('the store is away')
    })
    worker = await startWorker(rig.context, { tools })
    const begun = await beginRepair(rig, 'away@example.com', INPUTS)
    expect(await ended(rig, begun)).toMatchObject({ status: 'Completed' })
    expect(calls).toBe(2)
    const waited = await rig.context.db.execute(
      sql`SELECT crashes, extract(epoch FROM max(j.start_after - j.created_on))::int AS wait FROM repairs, pgboss.job j
          WHERE j.name = 'repair' GROUP BY crashes`,
    )
    expect(waited).toMatchObject({ rows: [{ crashes: 0, wait: 2 }] })
  })

  test('that was taken without end is not tried again, whatever it fell with', async () => {
    let calls = 0
    const tools = pretendedTools(async (step) => {
      if (step !== 'repair') return
      calls++
      throw new EnvironmentError('the store is away')
    })
    const begun = await beginRepair(rig, 'endless@example.com', INPUTS)
    await rig.context.db.execute(sql`UPDATE repairs SET attempt = ${MOST_TAKEN - 1}`)
    worker = await startWorker(rig.context, { tools })
    expect(await ended(rig, begun)).toMatchObject({ status: 'Failed' })
    expect(calls).toBe(1)
  })

  test('that the user cancels stops, leaves nothing and gives its place back', async () => {
    let started = false
    let stopped = false
    const tools = pretendedTools(async (_step, signal) => {
      started = true
      await waitForStop(signal).finally(() => {
        stopped = true
      })
    })
    worker = await startWorker(rig.context, { tools })
    const begun = await beginRepair(rig, 'cancelled@example.com', INPUTS)
    await until('the engine runs', () => started)
    await cancelRepair(rig.context, begun.session, begun.timestamp)
    await until('the engine is stopped', () => stopped)
    expect(await ended(rig, begun)).toMatchObject({ status: 'Failed', message: 'The repair was cancelled.' })
    expect(await mayUpload(rig.context, begun.session, 'video')).toBe(true)
    expect(await keys()).toEqual(['sealed/*.mp4', 'sealed/*.mp4'])
  })

  test('that is cancelled while its result is stored leaves nothing', async () => {
    const { context } = rig
    const storeFile = context.storage.storeFile.bind(context.storage)
    const begun = await beginRepair(rig, 'late@example.com', INPUTS)
    context.storage.storeFile = async (key, path, contentType) => {
      await storeFile(key, path, contentType)
      if (key.startsWith('results/')) await cancelRepair(context, begun.session, begun.timestamp)
    }
    worker = await startWorker(context, { tools: pretendedTools(async () => {}) })
    expect(await ended(rig, begun)).toMatchObject({ message: 'The repair was cancelled.' })
    await worker.close()
    expect(await keys()).toEqual(['sealed/*.mp4', 'sealed/*.mp4'])
  })

  test('whose worker is closed goes back to the queue and the next worker ends it', async () => {
    let calls = 0
    const tools = pretendedTools(async (step, signal) => {
      if (step === 'repair' && ++calls === 1) await waitForStop(signal)
    })
    worker = await startWorker(rig.context, { tools })
    const begun = await beginRepair(rig, 'moved@example.com', INPUTS)
    await until('the engine runs', () => calls === 1)
    await worker.close()
    worker = await startWorker(rig.context, { tools })
    expect(await ended(rig, begun)).toMatchObject({ status: 'Completed' })
    expect((await keys()).filter((key) => key.startsWith('results/'))).toEqual(['results/*-2.mp4'])
  })

  test('without a preview is still a repair', async () => {
    const { RendererError } = await import('@mendframe/renderer')
    const tools = pretendedTools(async (step) => {
      if (step !== 'repair') throw new RendererError('input', 'no picture decodes')
    })
    worker = await startWorker(rig.context, { tools })
    const begun = await beginRepair(rig, 'blind@example.com', INPUTS)
    expect(await ended(rig, begun)).toMatchObject({ status: 'Completed' })
    const found = await findDownload(rig.context, begun.session, 'video', begun)
    expect(found).not.toHaveProperty('playableUrl')
    expect(found.videoDownloadUrl).toContain('/results/')
  })
})
