import { expect, it } from 'vitest'
import {
  type Orientation,
  orientationOf,
  oriented,
} from '../../../../src/formats/isobmff/boxes/orientation.ts'
import { plainTrackTail } from '../../../../src/formats/isobmff/boxes/tkhd.ts'
import type { Teacher } from '../../../../src/formats/isobmff/ways/carve-file.ts'
import { turnPictures } from '../../../../src/formats/isobmff/ways/descriptions/turned-pictures.ts'
import type { RecoveredTrack } from '../../../../src/formats/isobmff/ways/index/surviving-index.ts'
import { Findings } from '../../../../src/model/finding.ts'
import { SampleTable } from '../../../../src/model/sample-table.ts'
import { BoxWriter } from '../../../../src/syntax/iso-boxes/box-writer.ts'
import { readerOf } from '../support/engine.ts'

const ORIENTATION = 'com.apple.quicktime.video-orientation'
const UPRIGHT: Orientation = { turns: 0, mirrored: false }

/** A sample entry of timed metadata with keys by their number, QuickTime File Format, 'Timed Metadata Media'. */
function entryOf(keys: readonly (readonly [number, string])[], last = 0): Uint8Array {
  const writer = new BoxWriter()
  writer.box('mebx', () => {
    writer.zeros(8)
    writer.box('keys', () => {
      for (const [number, name] of keys) {
        const start = writer.length
        writer.u32(8 + 12 + name.length)
        writer.u32(number)
        writer.box('keyd', () => {
          writer.fourcc('mdta')
          writer.raw(new Uint8Array(Buffer.from(name)))
        })
        expect(writer.length - start).toBe(20 + name.length)
      }
    })
  })
  return writer.bytes().slice(0, writer.length - last)
}

/** Samples of values: bytes, the key's number, and the value in so many of them. */
type Value = readonly [number: number, value: number, bytes: 1 | 2 | 3 | 4]

function sampleOf(values: readonly Value[]): Buffer {
  return Buffer.concat(
    values.map(([number, value, bytes]) => {
      const box = Buffer.alloc(8 + bytes)
      box.writeUInt32BE(box.length)
      box.writeUInt32BE(number, 4)
      box.writeUIntBE(value, 8, bytes)
      return box
    }),
  )
}

interface Metadata {
  readonly entry: Uint8Array | undefined
  readonly samples: readonly (readonly Value[])[]
}

const KEYED = entryOf([
  [1, 'com.apple.quicktime.other'],
  [7, ORIENTATION],
])

/** How pictures are turned whose header is lost or not, beside tracks of metadata; and what the findings say of that. */
function turned(
  metadata: readonly Metadata[],
  { lost = true, teacher = {} as Partial<Teacher>, own = UPRIGHT } = {},
) {
  let bytes = Buffer.alloc(0)
  const tracks = metadata.map(({ entry, samples }) => {
    const table = new SampleTable()
    for (const values of samples) {
      const sample = sampleOf(values)
      table.push(bytes.length, sample.length, 1, 1, 0, 0)
      bytes = Buffer.concat([bytes, sample])
    }
    const template = {
      description: { kind: 'data', codec: 'mebx' },
      entries: entry ? [{ bytes: entry }] : [],
    }
    return { plan: { template, table } } as unknown as RecoveredTrack
  })
  const header = { tail: oriented(plainTrackTail(64, 48), own) }
  const template = {
    description: { kind: 'video', codec: 'h264' },
    lost: new Set(lost ? ['tkhd'] : []),
    header,
  }
  const pictures = { plan: { template, table: new SampleTable() } } as unknown as RecoveredTrack
  const findings = new Findings(9)
  const all = turnPictures(
    readerOf(new Uint8Array(bytes)),
    [...tracks, pictures],
    { origin: 'sample', ...teacher } as Teacher,
    findings,
  )
  expect(all.slice(0, -1)).toEqual(tracks)
  const said = findings.list.map(({ message }) => message).join()
  return { orientation: orientationOf(all[all.length - 1].plan.template.header.tail), said }
}

const one = (value: number, bytes: 1 | 2 | 3 | 4 = 2): readonly Value[] => [[7, value, bytes]]

it('pictures are turned as the first sample with the key says', () => {
  const turns = [1, 2, 3, 4, 5, 6, 7, 8].map(
    (value) => turned([{ entry: KEYED, samples: [one(value)] }]).orientation,
  )
  expect(turns.map((told) => `${told?.turns}${told?.mirrored ? ' mirrored' : ''}`)).toEqual([
    ...['0', '0 mirrored', '2', '2 mirrored', '3 mirrored', '1', '1 mirrored', '3'],
  ])
  for (const bytes of [1, 2, 4] as const)
    expect(turned([{ entry: KEYED, samples: [one(6, bytes)] }]).orientation?.turns).toBe(1)
  const beside: readonly Value[] = [
    [1, 3, 4],
    [7, 8, 1],
  ]
  expect(turned([{ entry: KEYED, samples: [[], [[1, 3, 2]], beside, one(6)] }]).orientation?.turns).toBe(3)
})

it('what tells nothing turns nothing: no key, no such value, or one that comes late', () => {
  const silent: readonly Metadata[] = [
    { entry: undefined, samples: [one(6)] },
    { entry: new Uint8Array(20), samples: [one(6)] },
    { entry: entryOf([]), samples: [one(6)] },
    { entry: entryOf([[7, 'com.apple.quicktime.other']]), samples: [one(6)] },
    { entry: entryOf([[7, ORIENTATION]], 1), samples: [one(6)] },
    { entry: KEYED, samples: [one(9), one(0), one(6, 3)] },
    { entry: KEYED, samples: [...Array<Value[]>(8).fill([]), one(6)] },
    { entry: KEYED, samples: [] },
  ]
  for (const metadata of silent) expect(turned([metadata]).orientation).toEqual(UPRIGHT)
  expect(turned([{ entry: KEYED, samples: [one(6)] }], { lost: false }).orientation).toEqual(UPRIGHT)
  expect(
    turned([{ entry: KEYED, samples: [...Array<Value[]>(7).fill([]), one(6)] }]).orientation?.turns,
  ).toBe(1)
})

it('a value alone may have come to lie in another track of metadata', () => {
  const other = entryOf([[7, 'com.apple.quicktime.other']])
  const among: readonly Value[] = [
    [7, 6, 2],
    [1, 3, 2],
  ]
  const beside = (samples: Metadata['samples']) =>
    turned([
      { entry: other, samples },
      { entry: KEYED, samples: [] },
    ]).orientation?.turns
  expect([beside([one(6)]), beside([one(6, 4)]), beside([among])]).toEqual([1, 0, 0])
})

it('the findings say what the turn rests on', () => {
  expect(turned([{ entry: KEYED, samples: [one(6)] }]).said).toContain('metadata')
  const sideways = { turns: 1, mirrored: false }
  expect(turned([], { own: sideways }).said).toContain('turned by 90 degrees')
  expect(turned([], { teacher: { origin: 'payload' } }).said).toContain('nothing')
  expect(turned([], { teacher: { origin: 'payload', used: ['timing'] } }).said).toContain(
    'turned by 0 degrees',
  )
  expect(turned([], { lost: false }).said).toBe('')
})
