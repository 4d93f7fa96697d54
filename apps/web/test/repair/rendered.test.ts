import { type RepairReport, repairReportSchema } from '@mendframe/contract'
import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import {
  EMPTY_FLOW,
  type FlowResult,
  type FlowState,
  type RepairState,
  type Transfer,
} from '../../src/features/repair/flow/flow-state.ts'
import { MendedFrame } from '../../src/features/repair/hero/mended-frame.tsx'
import { PhotoList } from '../../src/features/repair/photo/photo-list.tsx'
import { PhotoWorkspace } from '../../src/features/repair/photo/photo-workspace.tsx'
import { VideoPreview } from '../../src/features/repair/result/video-preview.tsx'
import { TransferPanel } from '../../src/features/repair/workspace/transfer-panel.tsx'
import { Workspace } from '../../src/features/repair/workspace/workspace.tsx'
import { DOWNLOAD, REPORT } from './fakes.ts'
import { linesOf } from './markup.ts'

type Actions = ComponentProps<typeof PhotoWorkspace>['actions'] & ComponentProps<typeof Workspace>['actions']

const actions = new Proxy({} as Actions, { get: () => () => undefined })
const damaged = {
  ...{ name: 'the whole long day at the sea.mp4', bytes: 5_000_000, extension: 'mp4' },
  ...{ fileName: 'a.mp4', timestamp: '1', uniqueId: 'u' },
}
const sample = { name: 'other.mp4', bytes: 900_000, extension: 'mp4' }
const transfer: Transfer = {
  ...{ role: 'corrupt', file: damaged, state: 'sending', sent: 1_249_999 },
  ...{ rate: 0, secondsLeft: undefined, resumedFrom: 0 },
}
const running: RepairState = {
  kind: 'running',
  progress: { percentage: 42.7, stage: 'recover', text: 'Recovering frames', fraction: 0.5 },
}
const failed = (why: 'failed' | 'unrepairable' | 'cancelled' | 'interrupted'): RepairState => ({
  ...{ kind: 'failed', title: 'It did not work', message: 'Because.', why },
})
const done = (change: Partial<FlowResult> = {}): RepairState => ({
  kind: 'done',
  result: {
    verdict: 'partial',
    download: DOWNLOAD,
    report: REPORT,
    message: undefined,
    deleted: false,
    ...change,
  },
})

const film: RepairReport = repairReportSchema.parse({
  ...REPORT,
  findings: [
    { code: 'isobmff.index-missing', severity: 'error', message: 'No movie box', clause: '8.2.1' },
    { code: 'strange.code', severity: 'info', message: 'Something', offset: 7 },
  ],
  omittedFindings: 3,
  strategies: [{ name: 'carve', outcome: 'made it' }],
  doubts: [{ code: 'times', message: 'Times are estimated.' }],
  tracks: ['video', 'audio', 'data'].map((kind, id) => ({
    ...{
      id,
      kind,
      codec: 'h264',
      recovered: 90,
      lost: 10,
      estimated: 0,
      damaged: 1,
      duration: 9,
      times: 'index',
      ranges: [{ start: 0, end: 9, state: 'recovered' }],
    },
  })),
  verification: {
    decodable: true,
    duration: 9,
    tracks: [{ id: 0, kind: 'video', codec: 'h264', packets: 90, frames: 90, errors: 2 }],
  },
})

const area = (x: number, state: string) => ({ x, y: 32, width: 16, height: 8, state })
const picture = (orientation: number, areas: readonly object[]) =>
  repairReportSchema.parse({
    ...{ ...REPORT, kind: 'photo', format: 'jpeg' },
    doubts: [{ code: 'areas-lost', message: 'A part is lost.' }],
    pictures: [
      {
        ...{
          role: 'main',
          codec: 'jpeg',
          width: 400,
          height: 300,
          orientation,
          layout: '4:2:0',
          unit: 'block',
        },
        ...{ total: 10_000, recovered: 9_841, estimated: 9, lost: 150, areas },
        rebuilt: [{ part: 'quantisation tables', from: 'sample' }],
      },
    ],
  })

const flow = (change: Partial<FlowState>): FlowState => ({ ...EMPTY_FLOW, ...change })
const both = (repair: RepairState) => flow({ damaged, sample, repair })
const video = (state: FlowState, plan?: string) => linesOf(createElement(Workspace, { state, plan, actions }))
const photo = (state: FlowState, queued = false, plan?: 'Free' | 'Premium') =>
  linesOf(createElement(PhotoWorkspace, { state, queued, plan, actions }))
const sent = (change: Partial<Transfer>, thing?: 'photo') =>
  linesOf(
    createElement(TransferPanel, {
      ...{ transfer: { ...transfer, ...change }, onCancel: () => undefined, onRetry: () => undefined },
      ...(thing ? { thing } : {}),
    }),
  )
const list = (...states: FlowState[]) =>
  linesOf(
    createElement(PhotoList, {
      items: states.map((state, id) => ({ id, name: `${id}.jpg`, state, queued: id === 0 })),
      ...{ selected: 1, onSelect: () => undefined, onRemove: () => undefined },
    }),
  )
const preview = (extension: string, change: object) =>
  linesOf(createElement(VideoPreview, { extension, download: { ...DOWNLOAD, ...change } }))

const pages: Readonly<Record<string, () => string>> = {
  'nothing yet': () => video(flow({})),
  'a video on its way': () => video(flow({ transfer })),
  'a video alone': () => video(flow({ damaged })),
  'its sample on its way': () =>
    video(flow({ damaged, transfer: { ...transfer, role: 'sample', file: sample, sent: 449_999 } })),
  'both files': () => video(flow({ damaged, sample, enhancements: ['sharpen'] })),
  'a repair that is looked at': () => video(both({ kind: 'analyzing', since: 0, ahead: 0 })),
  'a repair that waits': () => video(both({ kind: 'analyzing', since: 0, ahead: 1 })),
  'a repair at work': () => video(both(running)),
  'a repair that is out of reach before it begins': () =>
    video(both({ kind: 'analyzing', since: 0, ahead: 1, unheard: true })),
  'a repair that is out of reach': () => video(both({ ...running, unheard: true })),
  'a repair whose preview is made': () => video(both({ kind: 'preview' })),
  'a repair that failed': () => video(both(failed('failed'))),
  'a repair that another sample may help': () => video(both(failed('unrepairable'))),
  'a repair that was cancelled': () => video(both(failed('cancelled'))),
  'a result for a guest': () => video(both(done({ report: film, message: 'A word.' }))),
  'a result for Free': () =>
    video(
      both(
        done({
          verdict: 'repaired',
          report: undefined,
          download: { ...DOWNLOAD, full: false, message: 'Large.' },
        }),
      ),
      'Free',
    ),
  'a whole result for Free': () => video(both(done()), 'Free'),
  'a result for Premium': () => video(both(done()), 'Premium'),
  'a preview for Premium': () => video(both(done({ download: { ...DOWNLOAD, full: false } })), 'Premium'),
  'a result without links': () => video(both(done({ download: undefined }))),
  'a deleted result': () => video(both(done({ download: undefined, deleted: true }))),
  'a healthy video': () => video(both(done({ verdict: 'healthy', download: undefined }))),
  preparing: () => sent({ state: 'preparing' }),
  'sending at some speed': () => sent({ rate: 2_000_000, secondsLeft: 75, resumedFrom: 500 }, 'photo'),
  'waiting for a connection': () => sent({ state: 'waiting', sent: 5_000_000 }),
  'looking at what came': () =>
    sent({ state: 'confirming', role: 'sample', file: { ...sample, bytes: 0 } }, 'photo'),
  'stopped on the way': () => sent({ state: 'failed', message: 'It broke.' }),
  'not taken': () => sent({ state: 'failed', message: 'It is none.', refused: true }),
  'an MP4 to look at': () =>
    preview('mp4', {
      playableUrl: 'https://store/playable.mp4',
      photoDownloadUrl: 'https://store/still.jpg',
    }),
  'another type to look at': () =>
    preview('avi', {
      playableUrl: 'https://store/playable.mp4',
      photoDownloadUrl: 'https://store/still.jpg',
    }),
  'nothing to look at': () => preview('avi', {}),
  'a photo that waits to be sent': () => photo(flow({})),
  'a photo on its way': () => photo(flow({ transfer })),
  'a photo that waits to be repaired': () => photo(flow({ damaged }), true),
  'a photo to be repaired': () => photo(flow({ damaged, sample })),
  'a photo that is looked at': () => photo(both({ kind: 'analyzing', since: 0 })),
  'a photo at work': () => photo(both(running)),
  'a photo whose preview is made': () => photo(both({ kind: 'preview' })),
  'a photo that failed': () => photo(both(failed('unrepairable'))),
  'a photo that failed, its sample on its way': () =>
    photo(flow({ damaged, transfer, repair: failed('interrupted') })),
  'a photo turned, with damaged areas': () =>
    photo(
      both(
        done({
          report: picture(6, [area(16, 'filled'), area(64, 'estimated'), area(96, 'filled')]),
          download: {
            ...{
              ...DOWNLOAD,
              photoDownloadUrl: 'https://store/after.jpg',
              photoDownloadUrl1: 'https://store/before.jpg',
            },
            ...{ jpegUrl: 'https://store/a.jpg', pngUrl: 'https://store/a.png' },
          },
        }),
      ),
      false,
      'Premium',
    ),
  'a photo that could not be shown before': () =>
    photo(
      both(
        done({
          verdict: 'repaired',
          message: 'A word.',
          download: { ...DOWNLOAD, photoDownloadUrl: 'https://store/after.jpg' },
        }),
      ),
      false,
      'Free',
    ),
  'a photo that can only be saved': () => photo(both(done({ report: picture(1, []) }))),
  'a photo with more areas than are listed': () =>
    photo(
      both(
        done({
          report: picture(
            1,
            Array.from({ length: 52 }, (_, i) => area(i, 'lost')),
          ),
        }),
      ),
    ),
  'a deleted photo': () => photo(both(done({ download: undefined, deleted: true }))),
  'a healthy photo': () =>
    photo(both(done({ verdict: 'healthy', message: 'A word.', download: undefined, report: undefined }))),
  'a photo without links': () => photo(both(done({ download: undefined }))),
  'a list of photos': () =>
    list(
      flow({ damaged }),
      flow({ transfer: { ...transfer, state: 'failed' } }),
      both(failed('cancelled')),
      both(failed('failed')),
      both(done({ download: { ...DOWNLOAD, photoDownloadUrl: 'https://store/after.jpg' } })),
      both(done({ verdict: 'unrepairable', download: undefined })),
      both({ kind: 'preview', unheard: true }),
      flow({ transfer: { ...transfer, state: 'failed', refused: true } }),
    ),
  'the broken frame': () => linesOf(createElement(MendedFrame)),
}

it('what the page shows of each state is what is written down, word for word', async () => {
  const told = Object.entries(pages).map(([title, of]) => {
    // how long a file is kept depends on the clock
    return `=== ${title}\n${of().replace(/Deleted automatically.*/g, 'Deleted automatically')}\n`
  })
  await expect(told.join('\n')).toMatchFileSnapshot('rendered.txt')
})

it('keeps names that run from right to left apart from what stands around them', () => {
  const name = 'عطلة.mp4'
  const file = { ...damaged, name }
  const props = { plan: 'Free', actions } as const
  const shown = [
    createElement(Workspace, {
      ...props,
      state: { ...EMPTY_FLOW, damaged: file, sample: { ...sample, name } },
    }),
    createElement(Workspace, { ...props, state: { ...EMPTY_FLOW, transfer: { ...transfer, file } } }),
    createElement(Workspace, { ...props, state: { ...EMPTY_FLOW, damaged: file, repair: done() } }),
    createElement(PhotoWorkspace, {
      ...props,
      queued: false,
      state: { ...EMPTY_FLOW, damaged: file, repair: done() },
    }),
  ]
  const markup = shown
    .map((each) => renderToStaticMarkup(createElement(MemoryRouter, undefined, each)))
    .join('')
  const around = markup.replace(/="[^"]*"/g, '').replace(/<bdi>[^<]*<\/bdi>/g, '')
  expect(markup).toContain(`<bdi>${name}</bdi>`)
  expect(around).not.toContain(name)
})
