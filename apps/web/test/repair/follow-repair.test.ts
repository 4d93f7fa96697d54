import type { ProgressReply } from '@mendframe/contract'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FlowApi } from '../../src/features/repair/flow/flow-ports.ts'
import type { RepairState } from '../../src/features/repair/flow/flow-state.ts'
import { followRepair } from '../../src/features/repair/flow/follow-repair.ts'
import { ApiFailure, NoAnswer } from '../../src/shared/api/failure.ts'
import { DOWNLOAD, flowWorld, progress, REPORT } from './fakes.ts'

const DAMAGED = {
  ...{ name: 'broken.mp4', bytes: 1000, extension: 'mp4' },
  ...{ fileName: 'n.mp4', timestamp: '1', uniqueId: 'u' },
}
const DONE = progress({ status: 'Completed', stage: 'done', verdict: 'partial' })
const refusal = (status: number, code: string, message = 'x') =>
  Promise.reject(new ApiFailure(status, code as ApiFailure['code'], message))

afterEach(() => vi.restoreAllMocks())

/** What is shown of a repair that the service tells so of, and what else is said. */
async function followed(
  replies: readonly ProgressReply[],
  {
    api = {} as Partial<FlowApi>,
    how = { enhancements: [] } as Parameters<typeof followRepair>[1],
    facts = {},
    poll = undefined as (() => Promise<ProgressReply>) | undefined,
    stop = new AbortController(),
    online = true,
  } = {},
) {
  for (const level of ['error', 'warn', 'debug'] as const) vi.spyOn(console, level).mockReturnValue(undefined)
  const world = flowWorld({ api, facts })
  world.events.push(...replies)
  if (poll) Object.assign(world.ports.progress, { poll })
  Object.assign(world.ports.uploads, { isOnline: () => online })
  const shown: RepairState[] = []
  world.world.clock = 5
  await followRepair(DAMAGED, how, world.ports, stop.signal, (state) => shown.push(state))
  return { ...world, shown, last: shown.at(-1) }
}

describe('a repair that is followed', () => {
  it('is shown to wait, to run and to be done', async () => {
    const { shown, milestones, notices } = await followed([
      progress({ stage: 'queued' }),
      progress({ stage: 'queued', ahead: 3 }),
      progress({ stage: 'recover', progress: 40, fraction: 0.25, repairingStatus: 'Recovering' }),
      { ...DONE, message: 'Most of it.' },
    ])
    expect(shown).toEqual([
      { kind: 'analyzing', since: 5 },
      { kind: 'analyzing', since: 5, ahead: 0 },
      { kind: 'analyzing', since: 5, ahead: 3 },
      {
        kind: 'running',
        progress: { percentage: 40, stage: 'recover', text: 'Recovering', fraction: 0.25 },
      },
      { kind: 'preview' },
      {
        kind: 'done',
        result: {
          ...{ verdict: 'partial', download: DOWNLOAD, report: REPORT },
          ...{ message: 'Most of it.', deleted: false },
        },
      },
    ])
    expect([milestones, notices]).toEqual([['repair-started', 'repair-finished'], []])
  })

  it('is said to be out of reach while nobody answers, and goes on when somebody does', async () => {
    const answers = [
      new NoAnswer('1'),
      new NoAnswer('2'),
      progress({ stage: 'write' }),
      new NoAnswer('3'),
      DONE,
    ]
    const poll = async () => {
      const answer = answers.shift()
      if (answer instanceof Error || !answer) throw answer
      return answer
    }
    const gone = (times: number) => {
      const call = vi.fn()
      for (let time = 0; time < times; time++) call.mockRejectedValueOnce(new NoAnswer('gone'))
      return call
    }
    const api = { download: gone(60).mockResolvedValue(DOWNLOAD), report: gone(1).mockResolvedValue(REPORT) }
    const { shown, notices } = await followed([], { api, poll })
    const told = shown.map((state) => `${state.kind}${'unheard' in state ? ' unheard' : ''}`)
    expect(told.filter((line, index) => line !== told[index - 1])).toEqual([
      ...['analyzing', 'analyzing unheard', 'running', 'running unheard'],
      ...['preview', 'preview unheard', 'done'],
    ])
    expect(shown.filter(({ kind }) => kind === 'running')).toHaveLength(2)
    expect(shown.at(-1)).toMatchObject({ result: { download: DOWNLOAD, report: REPORT } })
    expect(notices).toEqual([])
  })

  it('is joined without being begun', async () => {
    const startRepair = vi.fn(async () => 'code')
    const { last } = await followed([DONE], { api: { startRepair }, how: 'join' })
    expect([last?.kind, startRepair.mock.calls.length]).toEqual(['done', 0])
  })

  it('is shown with its result where it was begun and has ended without this page knowing', async () => {
    const recordStatus = vi.fn(async () => undefined)
    const api = { startRepair: () => refusal(409, 'file.repaired-already'), recordStatus }
    const { last, notices } = await followed([DONE], { api })
    expect(last).toMatchObject({ kind: 'done', result: { verdict: 'partial', download: DOWNLOAD } })
    expect([recordStatus.mock.calls.length, notices]).toEqual([0, []])
  })

  it('is whole where the service names no verdict, and says nothing in a message', async () => {
    const { last } = await followed([progress({ status: 'Completed', stage: 'done' })])
    expect(last).toMatchObject({ result: { verdict: 'repaired', message: undefined } })
  })

  it('that is done stays so where its report or its acknowledgement cannot be had', async () => {
    const captureStatus = vi.fn(() => refusal(500, 'server.error'))
    const api = { report: () => refusal(500, 'server.error'), captureStatus }
    const { last, notices } = await followed([DONE], { api })
    expect(last).toMatchObject({ kind: 'done', result: { report: undefined, download: DOWNLOAD } })
    expect([captureStatus.mock.calls.length, notices]).toEqual([1, []])
    // where nothing was wrong there is nothing to fetch or to acknowledge
    const healthy = await followed([progress({ status: 'Completed', verdict: 'healthy' })], { api })
    expect(healthy.last).toMatchObject({ result: { verdict: 'healthy', download: undefined } })
    expect([captureStatus.mock.calls.length, healthy.notices]).toEqual([1, []])
  })

  it.each<[number, string, number]>([
    [409, 'file.no-result', 2],
    [500, 'server.error', 2],
    [404, 'file.deleted', 1],
    [499, 'file.deleted', 1],
  ])('is asked for its links after %d %s %d times', async (status, code, times) => {
    const download = vi.fn<FlowApi['download']>(async () => DOWNLOAD)
    download.mockImplementationOnce(() => refusal(status, code))
    const { last, notices } = await followed([DONE], { api: { download } })
    expect(download.mock.calls.length).toBe(times)
    expect(last).toMatchObject({ result: { download: times > 1 ? DOWNLOAD : undefined } })
    expect(notices).toEqual(times > 1 ? [] : ['error: Failed to generate download link'])
  })
})

it.each([
  [79_999, 2],
  [80_000, 1],
])(
  'links of a thousand bytes are asked for until eighty seconds are over: %d, %d times',
  async (ms, times) => {
    const download = vi.fn<FlowApi['download']>(async () => DOWNLOAD)
    const world = flowWorld({ api: { download } })
    world.events.push(DONE)
    download.mockImplementationOnce(() => {
      world.world.clock += ms
      return refusal(409, 'file.no-result')
    })
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    await followRepair(DAMAGED, 'join', world.ports, new AbortController().signal, () => undefined)
    expect(download.mock.calls.length).toBe(times)
  },
)

describe('a repair that comes to nothing', () => {
  it.each<[ProgressReply, object, readonly string[]]>([
    [
      progress({ status: 'Failed', cancelled: true }),
      { title: 'Repair cancelled', message: 'The repair was cancelled.', why: 'cancelled' },
      [],
    ],
    [
      progress({ status: 'Failed' }),
      { title: 'Repair Failed', message: 'The video repair process has failed.', why: 'failed' },
      ['error: Repair Failed: The video repair process has failed.'],
    ],
    [
      progress({ status: 'Failed', verdict: 'unrepairable', message: 'Nothing there.' }),
      { title: 'Repair Failed', message: 'Nothing there.', why: 'unrepairable' },
      ['error: Repair Failed: The video repair process has failed.'],
    ],
  ])('says why: %j', async (reply, state, said) => {
    const { last, notices, milestones } = await followed([reply])
    expect(last).toEqual({ kind: 'failed', ...state })
    expect([notices, milestones]).toEqual([said, ['repair-started', 'repair-failed']])
  })

  it.each<[string, string, object, object, string[], string[], string[]]>([
    ['401', 'auth.required', {}, { kind: 'idle' }, ['sign-in'], [], []],
    ['402', 'plan.exhausted', {}, { kind: 'idle' }, ['plan-limit'], [], []],
    ['402', 'plan.photo-exhausted', { plan: 'Premium' }, { kind: 'idle' }, ['exhausted'], [], []],
    [
      ...(['500', 'server.error', {}, { kind: 'failed', message: 'x', why: 'interrupted' }] as const),
      ...([[], ['error: Repair Failed: x'], ['repair-failed']] as [string[], string[], string[]]),
    ],
  ])('because the service refuses to begin it: %s %s %j', async (...given) => {
    const [status, code, facts, state, asked, said, reached] = given
    const api = { startRepair: () => refusal(Number(status), code) }
    const { last, dialogs, notices, milestones } = await followed([], { api, facts })
    expect(last).toMatchObject(state)
    expect([dialogs, notices, milestones]).toEqual([asked, said, reached])
  })

  it('because nobody answers', async () => {
    const startRepair = () => Promise.reject(new NoAnswer('down'))
    const { last } = await followed([], { api: { startRepair } })
    expect(last).toMatchObject({ message: 'An error occurred during the repair process.' })
    const offline = await followed([], { api: { startRepair }, online: false })
    expect(offline.last).toMatchObject({
      message: 'No internet connection. Please reconnect and try again.',
      why: 'interrupted',
    })
  })

  it('because nobody says how it stands: the session is over, or the service does not know', async () => {
    const over = await followed([], { poll: () => refusal(401, 'auth.required') })
    expect([over.last, over.dialogs, over.notices]).toEqual([{ kind: 'idle' }, ['sign-in'], []])
    const unknown = await followed([], { poll: () => refusal(404, 'file.unknown') })
    expect(unknown.last).toMatchObject({ kind: 'failed', why: 'interrupted' })
    expect([unknown.dialogs, unknown.milestones.at(-1)]).toEqual([[], 'repair-failed'])
  })

  it('because the page is left: nothing more is shown', async () => {
    const stop = new AbortController()
    const report = async () => {
      stop.abort()
      return REPORT
    }
    const late = await followed([DONE], { api: { report }, stop })
    expect([late.last, late.milestones]).toEqual([{ kind: 'preview' }, ['repair-started']])
    const gone = new AbortController()
    gone.abort()
    expect((await followed([], { stop: gone })).shown).toEqual([{ kind: 'analyzing', since: 5 }])
    const ended = await followed([progress({ status: 'Failed' })], { stop: gone })
    expect([ended.last, ended.notices]).toEqual([{ kind: 'analyzing', since: 5 }, []])
  })
})
