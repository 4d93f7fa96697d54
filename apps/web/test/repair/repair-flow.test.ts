import { describe, expect, it, vi } from 'vitest'
import { stepOf } from '../../src/features/repair/flow/flow-state.ts'
import { RepairFlow } from '../../src/features/repair/flow/repair-flow.ts'
import { ApiFailure, NoAnswer } from '../../src/shared/api/failure.ts'
import { DOWNLOAD, flowWorld, progress, REPORT } from './fakes.ts'

const DAMAGED = () => new File(['damaged'], 'broken.mp4')
const SAMPLE = () => new File(['sample'], 'whole.mp4')

const settled = async (flow: RepairFlow, ready: () => boolean) => {
  await vi.waitFor(() => {
    if (!ready()) throw new Error(`still ${JSON.stringify(flow.state)}`)
  })
}

async function ready(world: ReturnType<typeof flowWorld>): Promise<RepairFlow> {
  const flow = new RepairFlow(world.ports)
  await flow.chooseDamaged([DAMAGED()])
  await settled(flow, () => flow.state.damaged !== undefined)
  await flow.chooseSample([SAMPLE()])
  await settled(flow, () => flow.state.sample !== undefined)
  return flow
}

describe('a repair', () => {
  it('goes from the two files to the result, step by step', async () => {
    const world = flowWorld()
    const flow = new RepairFlow(world.ports)
    expect(stepOf(flow.state)).toEqual({ current: 'upload', done: [] })
    await flow.chooseDamaged([DAMAGED()])
    await settled(flow, () => flow.state.damaged !== undefined)
    expect(stepOf(flow.state)).toEqual({ current: 'sample', done: ['upload'] })
    await flow.chooseSample([SAMPLE()])
    await settled(flow, () => flow.state.sample !== undefined)
    expect(stepOf(flow.state)).toEqual({ current: 'repair', done: ['upload', 'sample'] })
    world.events.push(
      progress({}),
      progress({ status: 'Completed', stage: 'done', progress: 100, verdict: 'partial' }),
    )
    await flow.start()
    expect(flow.state.repair).toEqual({
      kind: 'done',
      result: { verdict: 'partial', download: DOWNLOAD, report: REPORT, message: undefined, deleted: false },
    })
    expect(stepOf(flow.state)).toEqual({ current: 'save', done: ['upload', 'sample', 'repair', 'save'] })
    expect(world.milestones).toEqual([
      'damaged-uploaded',
      'sample-uploaded',
      'repair-started',
      'repair-finished',
    ])
  })

  it('takes the size that the service saw, not the one the browser claims', async () => {
    const world = flowWorld()
    const flow = new RepairFlow(world.ports)
    await flow.chooseDamaged([DAMAGED()])
    await settled(flow, () => flow.state.damaged !== undefined)
    expect(flow.state.damaged).toMatchObject({ name: 'broken.mp4', bytes: 1000, uniqueId: 'unique' })
  })

  it('asks a guest to log in and uploads nothing', async () => {
    const world = flowWorld()
    world.world.signedIn = false
    const flow = new RepairFlow(world.ports)
    await flow.chooseDamaged([DAMAGED()])
    expect(world.dialogs).toEqual(['sign-in'])
    expect(world.store.puts).toEqual([])
  })

  it('says so when the service cannot be asked', async () => {
    const world = flowWorld({
      api: {
        uploadCheck: async () => {
          throw new NoAnswer('down')
        },
      },
    })
    const flow = new RepairFlow(world.ports)
    await flow.chooseDamaged([DAMAGED()])
    expect(world.notices).toEqual(['error: Upload failed!'])
    expect(flow.state.checking).toBe(false)
  })

  it.each([
    [
      'fails with 500',
      new ApiFailure(500, 'unknown', ''),
      true,
      'Server error (500). Please try again later.',
    ],
    [
      'gets no answer offline',
      new NoAnswer('down'),
      false,
      'No internet connection. Please reconnect and try again.',
    ],
  ])('says why when the read of the account before an upload %s', async (_, failure, online, text) => {
    const { ports, notices } = flowWorld()
    const facts = () => Promise.reject(failure)
    const flow = new RepairFlow({ ...ports, facts, uploads: { ...ports.uploads, isOnline: () => online } })
    await flow.chooseDamaged([DAMAGED()])
    expect(notices).toEqual([`error: ${text}`])
    expect(flow.state.checking).toBe(false)
  })

  it('keeps the file after a failed upload and sends it again on request', async () => {
    const world = flowWorld()
    world.store.outcomes.push({ kind: 'refused', status: 500 })
    const flow = new RepairFlow(world.ports)
    await flow.chooseDamaged([DAMAGED()])
    await settled(flow, () => flow.state.transfer?.state === 'failed')
    expect(world.notices).toEqual(['error: Server error (500). Please try again later.'])
    expect(flow.state.transfer?.refused).toBe(false)
    await flow.retryTransfer()
    expect(flow.state.damaged?.name).toBe('broken.mp4')
    expect(flow.state.transfer).toBeUndefined()
  })

  it('shows the service words when the file is refused after its arrival', async () => {
    const world = flowWorld({
      api: {
        recordMetadata: async () => {
          throw new ApiFailure(415, 'upload.foreign-content', 'Unsupported file format.')
        },
      },
    })
    const flow = new RepairFlow(world.ports)
    await flow.chooseDamaged([DAMAGED()])
    await settled(flow, () => flow.state.transfer?.state === 'failed')
    expect(flow.state.transfer).toMatchObject({ message: 'Unsupported file format.', refused: true })
  })

  it('does not lose a file that has arrived when the service is away for a moment just then', async () => {
    let away = 3
    const world = flowWorld({
      api: {
        recordMetadata: async () => {
          if (away-- > 0) throw new NoAnswer('down')
          return { fileSize: 1000, uniqueId: 'unique' }
        },
      },
    })
    const flow = new RepairFlow(world.ports)
    await flow.chooseDamaged([DAMAGED()])
    await settled(flow, () => flow.state.damaged !== undefined)
    expect(world.notices).toEqual([])
    expect(world.uploads.pauses).toEqual([500, 1000, 2000])
    expect(world.store.puts).toHaveLength(1)
  })

  it('goes back to the beginning when the visitor cancels the upload', async () => {
    const world = flowWorld()
    world.store.outcomes.push('hang')
    const flow = new RepairFlow(world.ports)
    await flow.chooseDamaged([DAMAGED()])
    await settled(flow, () => flow.state.transfer?.state === 'sending')
    flow.cancelTransfer()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(flow.state.transfer).toBeUndefined()
    expect(flow.state.damaged).toBeUndefined()
    expect(world.notices).toEqual([])
  })

  it('wants a sample before it starts', async () => {
    const world = flowWorld()
    const flow = new RepairFlow(world.ports)
    await flow.chooseDamaged([DAMAGED()])
    await settled(flow, () => flow.state.damaged !== undefined)
    await flow.start()
    expect(world.notices).toEqual(['error: Please upload the Sample Video.'])
    expect(flow.state.repair).toEqual({ kind: 'idle' })
  })

  it('does not start while a file is still being sent', async () => {
    const world = flowWorld()
    const flow = await ready(world)
    world.store.outcomes.push('hang')
    void flow.chooseSample([SAMPLE()])
    await settled(flow, () => flow.state.transfer?.state === 'sending')
    await flow.start()
    expect(flow.state.repair.kind).toBe('idle')
    expect(world.milestones).not.toContain('repair-started')
    flow.cancelTransfer()
  })

  it('asks to log in again when the session has ended, wherever that shows', async () => {
    const ended = () => Promise.reject(new ApiFailure(401, 'auth.required', 'Please log in to continue.'))
    const first = flowWorld({ api: { uploadCheck: ended } })
    await new RepairFlow(first.ports).chooseDamaged([DAMAGED()])
    const later = flowWorld({ api: { recordMetadata: ended } })
    const uploading = new RepairFlow(later.ports)
    await uploading.chooseDamaged([DAMAGED()])
    await settled(uploading, () => later.dialogs.length > 0)
    expect(uploading.state.transfer).toBeUndefined()
    const last = flowWorld({ api: { startRepair: ended } })
    const starting = await ready(last)
    await starting.start()
    expect(starting.state.repair).toEqual({ kind: 'idle' })
    for (const { dialogs, notices } of [first, later, last]) {
      expect(dialogs).toEqual(['sign-in'])
      expect(notices).toEqual([])
    }
  })

  it('says once that the preview is being made', async () => {
    const world = flowWorld()
    const flow = await ready(world)
    world.events.push(
      progress({ stage: 'preview', progress: 90 }),
      progress({ stage: 'preview', progress: 95 }),
      progress({ status: 'Completed', stage: 'done', progress: 100, verdict: 'repaired' }),
    )
    await flow.start()
    expect(world.notices).toEqual(['info: Preview Repair Creating...: The Preview repair start Working.'])
  })

  it('falls back to polling when nothing is pushed', async () => {
    const world = flowWorld()
    const flow = await ready(world)
    const answers = [progress({}), progress({ status: 'Completed', stage: 'done', verdict: 'repaired' })]
    const poll = async () => answers.shift() ?? progress({})
    const followed = new RepairFlow({ ...world.ports, progress: { ...world.ports.progress, poll } })
    const { damaged } = flow.state
    if (!damaged) throw new Error('no upload')
    await followed.chooseDamaged([DAMAGED()])
    await settled(followed, () => followed.state.damaged !== undefined)
    await followed.chooseSample([SAMPLE()])
    await followed.start()
    expect(followed.state.repair.kind).toBe('done')
    expect(answers).toEqual([])
  })

  it('reports a failed repair and lets it be tried again', async () => {
    const world = flowWorld()
    const flow = await ready(world)
    world.events.push(
      progress({ status: 'Failed', verdict: 'unrepairable', message: 'The sample is of another camera.' }),
    )
    await flow.start()
    expect(flow.state.repair).toEqual({
      kind: 'failed',
      title: 'Repair Failed',
      message: 'The sample is of another camera.',
      why: 'unrepairable',
    })
    expect(world.notices).toEqual(['error: Repair Failed: The video repair process has failed.'])
    world.events.push(progress({ status: 'Completed', stage: 'done', verdict: 'repaired' }))
    await flow.start()
    expect(flow.state.repair.kind).toBe('done')
  })

  it('asks for what was ticked besides the repair, and for nothing by itself', async () => {
    const asked: (readonly string[])[] = []
    const world = flowWorld({
      api: {
        startRepair: async (_file, enhancements) => {
          asked.push(enhancements)
          throw new ApiFailure(500, 'server.error', 'x')
        },
      },
    })
    const flow = await ready(world)
    await flow.start()
    flow.chooseEnhancements(['retime', 'sharpen'])
    await flow.start()
    expect(asked).toEqual([[], ['retime', 'sharpen']])
    flow.reset()
    expect(flow.state.enhancements).toEqual([])
  })

  it('goes on when only the status could not be recorded', async () => {
    const world = flowWorld({
      api: {
        recordStatus: async () => {
          throw new ApiFailure(404, 'repair.status-unrecorded', 'x')
        },
      },
    })
    const flow = await ready(world)
    world.events.push(progress({ status: 'Completed', stage: 'done', verdict: 'repaired' }))
    await flow.start()
    expect(world.notices).toEqual(['error: Instance Id not Added'])
    expect(flow.state.repair.kind).toBe('done')
  })

  it('can be cancelled while it runs, and started again', async () => {
    const world = flowWorld()
    const flow = await ready(world)
    const started = flow.start()
    await settled(flow, () => flow.state.repair.kind === 'running')
    await flow.cancelRepair()
    await started
    expect(flow.state.repair).toEqual({ kind: 'idle' })
  })

  it('resumes at the step that an earlier visit had reached', () => {
    const record = {
      product: 'video' as const,
      originalfilename: 'broken.mp4',
      originalfileSize: 84.12,
      originalfileBytes: 88_211_200,
      extension: 'mp4',
      renamefilename: 'n.mp4',
      timestamp: '1',
      email: 'a@b.c',
      originalsamplefilename: 'whole.mp4',
      originalsamplefileSize: 3,
      file_status: 'Available' as const,
      created_date: '2026-11-20T00:00:00Z',
      unique_id: 'u',
      plan: 'Free' as const,
    }
    const flow = new RepairFlow(flowWorld().ports)
    flow.resume({ ...record, status: 'Corrut_File_Uploaded' })
    expect(stepOf(flow.state).current).toBe('sample')
    flow.resume({ ...record, status: 'Sample_File_Uploaded' })
    expect(stepOf(flow.state).current).toBe('repair')
    expect(flow.state.damaged?.bytes).toBe(88_211_200)
  })

  it('forgets the links when the files are deleted', async () => {
    const world = flowWorld()
    const flow = await ready(world)
    world.events.push(progress({ status: 'Completed', stage: 'done', verdict: 'repaired' }))
    await flow.start()
    expect(await flow.deleteFiles()).toBe(true)
    expect(flow.state.repair).toMatchObject({ kind: 'done', result: { download: undefined, deleted: true } })
  })
})
