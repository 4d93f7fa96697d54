import { expect, it } from 'vitest'
import { announcementOf } from '../../src/features/repair/flow/announcements.ts'
import {
  EMPTY_FLOW,
  type FlowState,
  isWorking,
  losesWork,
  type Transfer,
} from '../../src/features/repair/flow/flow-state.ts'
import { DOWNLOAD } from './fakes.ts'

const file = { name: 'broken.jpg', bytes: 100, extension: 'jpg' }
const transfer: Transfer = {
  role: 'corrupt',
  file,
  state: 'sending',
  sent: 50,
  rate: 0,
  secondsLeft: undefined,
  resumedFrom: 0,
}
const damaged = { ...file, fileName: 'n.jpg', timestamp: '1', uniqueId: 'u' }

it('the photo app speaks of photos to those who hear it', () => {
  const state = { ...EMPTY_FLOW, transfer }
  expect(announcementOf('video', state)).toBe('Uploading the video, 50 percent')
  expect(announcementOf('photo', state)).toBe('Uploading the photo, 50 percent')
  expect(announcementOf('photo', { ...EMPTY_FLOW, damaged, sample: file })).toBe('Sample Photo Added')
})

it('the place in the queue is heard', () => {
  const repair = { kind: 'analyzing', since: 0, ahead: 1 } as const
  expect(announcementOf('photo', { ...EMPTY_FLOW, damaged, repair })).toBe('One repair is before yours.')
})

it('leaving is asked about from the first upload on, after a result too, until nothing is left to lose', () => {
  const result = { verdict: 'repaired', report: undefined, message: undefined, deleted: false } as const
  const done = (download: typeof DOWNLOAD | undefined) => ({
    kind: 'done' as const,
    result: { ...result, download },
  })
  expect(losesWork(EMPTY_FLOW)).toBe(false)
  expect(losesWork({ ...EMPTY_FLOW, damaged })).toBe(true)
  expect(losesWork({ ...EMPTY_FLOW, damaged, repair: done(DOWNLOAD) })).toBe(true)
  expect(losesWork({ ...EMPTY_FLOW, damaged, repair: done(undefined) })).toBe(false)
})

it.each<[Partial<FlowState>, string, boolean]>([
  [{}, '', false],
  [{ damaged }, 'File Uploaded', true],
  [{ transfer: { ...transfer, state: 'waiting' } }, 'No connection. Waiting.', true],
  [{ transfer: { ...transfer, state: 'failed', message: 'Why.' } }, 'Why.', true],
  [{ transfer: { ...transfer, sent: 99 } }, 'Uploading the video, 75 percent', true],
  [{ transfer: { ...transfer, file: { ...file, bytes: 0 } } }, 'Uploading the video, 0 percent', true],
  [{ damaged, transfer: { ...transfer, role: 'sample' } }, 'Uploading the sample video, 50 percent', true],
  [{ damaged, repair: { kind: 'analyzing', since: 0 } }, 'Analyzing...', true],
  [{ damaged, repair: { kind: 'preview' } }, 'Generating Preview', true],
  [{ damaged, repair: { kind: 'preview', unheard: true } }, 'No connection. Waiting.', true],
  [
    {
      damaged,
      repair: { kind: 'running', progress: { percentage: 1, stage: 'survey', text: '', fraction: 0 } },
    },
    'Repairing: Read',
    true,
  ],
  [{ damaged, repair: { kind: 'failed', title: 'A', message: 'B', why: 'failed' } }, 'A. B', true],
])('%j is heard as %j', (change, text, working) => {
  const state = { ...EMPTY_FLOW, ...change }
  expect([announcementOf('video', state), isWorking(state)]).toEqual([text, working])
})
