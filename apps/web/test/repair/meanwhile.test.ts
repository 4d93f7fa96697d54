import { afterEach, describe, expect, it, vi } from 'vitest'
import { RepairFlow } from '../../src/features/repair/flow/repair-flow.ts'
import { ApiFailure } from '../../src/shared/api/failure.ts'
import { flowWorld, progress } from './fakes.ts'

const DAMAGED = new File(['damaged'], 'broken.mp4')
const SAMPLE = new File(['sample'], 'whole.mp4')
const DONE = progress({ status: 'Completed', stage: 'done', verdict: 'repaired' })

type World = ReturnType<typeof flowWorld>

async function withDamaged(world: World): Promise<RepairFlow> {
  const flow = new RepairFlow(world.ports)
  await flow.send(DAMAGED)
  return flow
}

async function ready(world: World): Promise<RepairFlow> {
  const flow = await withDamaged(world)
  await flow.chooseSample([SAMPLE])
  return flow
}

const sending = (flow: RepairFlow) => vi.waitFor(() => expect(flow.state.transfer?.state).toBe('sending'))

/** A repair that runs until it is told to stop. */
function endless(world: World): void {
  const events: World['ports']['progress']['events'] = async function* (_, signal) {
    yield progress({})
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    signal.throwIfAborted()
  }
  Object.assign(world.ports.progress, { events })
}

afterEach(() => vi.restoreAllMocks())

describe('a file that is chosen', () => {
  it('waits for none while another one is looked at or sent', async () => {
    const world = flowWorld()
    world.store.outcomes.push('hang')
    const flow = new RepairFlow(world.ports)
    const first = flow.chooseDamaged([DAMAGED])
    await flow.chooseDamaged([DAMAGED])
    await first
    await sending(flow)
    await Promise.all([flow.chooseDamaged([DAMAGED]), flow.send(DAMAGED), flow.chooseSample([SAMPLE])])
    expect(world.store.puts.length).toBe(1)
    flow.cancelTransfer()
  })

  it('is refused, or asks for another plan, in words of its own, and is not sent', async () => {
    const refused = flowWorld()
    await new RepairFlow(refused.ports).chooseDamaged([new File(['x'], 'letter.txt')])
    expect(refused.notices.length).toBe(1)
    const limited = flowWorld({ api: { uploadCheck: async () => false } })
    await new RepairFlow(limited.ports).chooseDamaged([DAMAGED])
    expect(limited.dialogs.length).toBe(1)
    expect([...refused.store.puts, ...limited.store.puts]).toEqual([])
  })

  it('as a sample needs a damaged file, and somebody who is signed in', async () => {
    const world = flowWorld()
    await new RepairFlow(world.ports).chooseSample([SAMPLE])
    const flow = await withDamaged(world)
    world.world.signedIn = false
    await flow.chooseSample([SAMPLE])
    await flow.start()
    expect([world.dialogs, world.store.puts.length]).toEqual([['sign-in', 'sign-in'], 1])
    world.world.signedIn = true
    await flow.chooseSample([new File(['x'], 'letter.txt')])
    expect([world.notices.length, world.store.puts.length]).toEqual([1, 1])
  })

  it('as another sample takes the place of the first before a repair and after one that failed, not behind a result', async () => {
    const world = flowWorld()
    const flow = await ready(world)
    flow.replaceSample()
    expect(flow.state.sample).toBeUndefined()
    await flow.chooseSample([SAMPLE])
    world.events.push(progress({ status: 'Failed' }))
    await flow.start()
    flow.replaceSample()
    expect(flow.state).toMatchObject({ sample: undefined, repair: { kind: 'idle' } })
    await flow.chooseSample([SAMPLE])
    world.events.push(DONE)
    await flow.start()
    flow.replaceSample()
    expect(flow.state).toMatchObject({ sample: { name: 'whole.mp4' }, repair: { kind: 'done' } })
  })
})

describe('a file on its way', () => {
  it('is drawn eight times a second, and at its end', async () => {
    const world = flowWorld()
    const sent: (number | undefined)[] = []
    const put: World['ports']['uploads']['put'] = async ({ onProgress }) => {
      for (const [at, bytes] of [
        [0, 1],
        [119, 2],
        [120, 3],
        [130, 4],
        [131, 7],
      ] as const) {
        world.world.clock = at
        onProgress(bytes)
      }
      return { kind: 'done', etag: undefined }
    }
    Object.assign(world.ports.uploads, { put })
    const flow = new RepairFlow(world.ports)
    flow.subscribe(() => {
      if (flow.state.transfer?.state === 'sending') sent.push(flow.state.transfer.sent)
    })
    await flow.send(DAMAGED)
    expect(sent).toEqual([1, 3, 7])
  })

  it('in parts is shown to wait for the line, and is given up on the service when cancelled', async () => {
    const world = flowWorld()
    const big = Object.defineProperty(new File(['x'], 'big.mp4'), 'size', { value: 200 * 1024 * 1024 })
    const shown: unknown[] = []
    let online = false
    Object.assign(world.parts, { partSize: 100 * 1024 * 1024 })
    Object.assign(world.ports.uploads, {
      isOnline: () => online,
      online: async () => {
        online = true
      },
    })
    world.store.outcomes.push({ kind: 'broken' }, 'hang', 'hang')
    const flow = new RepairFlow(world.ports)
    flow.subscribe(() => shown.push(flow.state.transfer))
    void flow.send(big)
    await vi.waitFor(() => expect(shown).toContainEqual(expect.objectContaining({ state: 'waiting' })))
    expect(shown).toContainEqual(
      expect.objectContaining({ state: 'waiting', rate: 0, secondsLeft: undefined }),
    )
    flow.cancelTransfer()
    await vi.waitFor(() => expect(world.parts.calls.at(-1)).toMatch(/^abort /))
    expect(flow.state.transfer).toBeUndefined()
  })

  it('is drawn no more when the page was left, and is kept for the next visit', async () => {
    const world = flowWorld()
    world.store.outcomes.push('hang')
    const flow = new RepairFlow(world.ports)
    const sent = flow.send(DAMAGED)
    await sending(flow)
    flow.dispose()
    await sent
    expect(flow.state).toMatchObject({ transfer: undefined, damaged: undefined })
    expect([world.milestones, world.notices]).toEqual([['cleared'], []])
  })

  it('is shown no more when it was given up, whatever is heard of it late', async () => {
    const world = flowWorld()
    let hear: (sent: number) => void = () => undefined
    const put: World['ports']['uploads']['put'] = ({ onProgress, signal }) => {
      hear = onProgress
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    Object.assign(world.ports.uploads, { put })
    const flow = new RepairFlow(world.ports)
    const sent = flow.send(DAMAGED)
    await vi.waitFor(() => expect(flow.state.transfer?.state).toBe('preparing'))
    hear(1)
    expect(flow.state.transfer?.sent).toBe(1)
    flow.cancelTransfer()
    world.world.clock = 1000
    hear(7)
    await sent
    expect(flow.state.transfer).toBeUndefined()
  })

  it('is not taken for the damaged file when it was given up while the service read it', async () => {
    const answers: (() => void)[] = []
    const world = flowWorld({
      api: {
        recordMetadata: () =>
          new Promise((resolve) => answers.push(() => resolve({ fileSize: 1, uniqueId: 'u' }))),
      },
    })
    const flow = new RepairFlow(world.ports)
    const sent = flow.send(DAMAGED)
    await vi.waitFor(() => expect(answers.length).toBe(1))
    flow.cancelTransfer()
    answers[0]?.()
    await sent
    expect([flow.state.damaged, world.milestones]).toEqual([undefined, []])
  })
})

describe('a repair that runs', () => {
  it('is not begun twice, and tells nobody who stopped listening', async () => {
    const begun: string[] = []
    const world = flowWorld({ api: { startRepair: async () => begun.push('begun').toString() } })
    endless(world)
    const flow = await ready(world)
    let told = 0
    const stop = flow.subscribe(() => told++)
    void flow.start()
    await vi.waitFor(() => expect(flow.state.repair.kind).toBe('running'))
    stop()
    const before = told
    await flow.start()
    expect([begun.length, flow.snapshot()]).toEqual([1, flow.state])
    flow.reset()
    expect([told, flow.state.repair.kind, world.milestones.at(-1)]).toEqual([before, 'idle', 'cleared'])
  })

  it('goes on when it could not be cancelled, which is said unless it had just ended', async () => {
    const failures = [
      new ApiFailure(409, 'repair.not-running', 'It is over.'),
      new ApiFailure(500, 'server.error', 'Not now.'),
      new Error('broken'),
    ]
    const world = flowWorld({ api: { cancel: async () => Promise.reject(failures.shift()) } })
    endless(world)
    const flow = await ready(world)
    await flow.cancelRepair()
    expect(failures.length).toBe(3)
    void flow.start()
    await vi.waitFor(() => expect(flow.state.repair.kind).toBe('running'))
    for (let i = 0; i < 3; i++) await flow.cancelRepair()
    expect(world.notices).toEqual(['error: Not now.', 'error: An error occurred during the repair process.'])
    expect(flow.state.repair.kind).toBe('running')
    flow.dispose()
  })

  it('goes back to the beginning though its end is told before the answer that it is cancelled', async () => {
    let end: () => void = () => undefined
    const isEnding = new Promise<void>((resolve) => {
      end = resolve
    })
    const cancel = vi.fn(async () => {
      end()
      await vi.waitFor(() => expect(flow.state.repair.kind).toBe('failed'))
    })
    const world = flowWorld({ api: { cancel } })
    const events: World['ports']['progress']['events'] = async function* () {
      yield progress({})
      await isEnding
      yield progress({ status: 'Failed', cancelled: true })
    }
    Object.assign(world.ports.progress, { events })
    const flow = await ready(world)
    void flow.start()
    await vi.waitFor(() => expect(flow.state.repair.kind).toBe('running'))
    await flow.cancelRepair()
    expect([flow.state.repair, world.notices]).toEqual([{ kind: 'idle' }, []])
    // what has ended cannot be cancelled
    await flow.cancelRepair()
    expect(cancel).toHaveBeenCalledTimes(1)
  })

  it('is left alone by the answer that the one before it is cancelled', async () => {
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const world = flowWorld({ api: { cancel: async () => answered } })
    endless(world)
    const flow = await ready(world)
    void flow.start()
    await vi.waitFor(() => expect(flow.state.repair.kind).toBe('running'))
    const cancelled = flow.cancelRepair()
    flow.reset()
    answer()
    await cancelled
    expect([flow.state.damaged, world.milestones.at(-1)]).toEqual([undefined, 'cleared'])
  })

  it('of an earlier visit is followed without being begun again', async () => {
    const begun: string[] = []
    const world = flowWorld({ api: { startRepair: async () => begun.push('begun').toString() } })
    world.events.push(DONE)
    const flow = new RepairFlow(world.ports)
    const record = {
      product: 'video' as const,
      ...{
        originalfilename: 'broken.mp4',
        originalfileSize: 1,
        originalfileBytes: 2 ** 20,
        extension: 'mp4',
      },
      ...{ renamefilename: 'n.mp4', timestamp: '1', email: 'a@b.c', originalsamplefilename: 'whole.mp4' },
      ...{
        originalsamplefileSize: 3,
        file_status: 'Available' as const,
        unique_id: 'u',
        plan: 'Free' as const,
      },
      ...{ created_date: '2026-11-20T00:00:00Z', status: 'Sample_File_Uploaded' as const },
    }
    flow.resume(record)
    expect(flow.state.sample?.bytes).toBe(3 * 2 ** 20)
    await flow.start()
    flow.reset()
    begun.length = 0
    world.events.push(DONE)
    flow.resume({ ...record, repair: { status: 'Running' } } as Parameters<RepairFlow['resume']>[0])
    await vi.waitFor(() => expect(flow.state.repair.kind).toBe('done'))
    expect(begun).toEqual([])
    expect(world.milestones).toEqual(expect.arrayContaining(['damaged-uploaded', 'sample-uploaded']))
  })

  it('keeps its links when its files could not be deleted', async () => {
    const world = flowWorld({
      api: { remove: async () => Promise.reject(new ApiFailure(500, 'server.error', 'Not now.')) },
    })
    const flow = await ready(world)
    world.events.push(DONE)
    await flow.start()
    expect(await flow.deleteFiles()).toBe(false)
    expect(world.notices).toEqual(['error: Not now.'])
    expect(flow.state.repair).toMatchObject({ result: { deleted: false } })
    expect(await new RepairFlow(world.ports).deleteFiles()).toBe(false)
    expect(world.notices.length).toBe(1)
  })
})
