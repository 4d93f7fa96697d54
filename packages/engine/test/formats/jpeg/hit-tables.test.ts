import { describe, expect, it } from 'vitest'
import type { PhotoReport } from '../../../src/model/report.ts'
import { scaledTable } from '../../../src/photo/frame/estimate-quantisation.ts'
import { DQT } from '../../../src/syntax/jpeg-markers/markers.ts'
import { walkSegments } from '../../../src/syntax/jpeg-markers/segments.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { readPhoto } from '../../../testing/photos/read-photo.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

const PLAIN = { sampling: [2, 2], quality: 90, interval: 0 } as const

/** Smooth tables that no encoder is known to write. */
const OWN = [0, 1].map((which) =>
  scaledTable(which === 0 ? 0 : 1, 90).map((step, i) => Math.round(1.25 * step + i / 16 + 2 * which)),
)

const drawn = (settings: object = {}): Uint8Array =>
  writePhoto(drawPicture(640, 400, 5), { ...PLAIN, ...settings })

/** A photo with other values in its first quantisation table, from `first` on in zigzag order. */
function withValues(photo: Uint8Array, first: number, values: readonly number[]): Uint8Array {
  const segment = walkSegments(photo, 0).find(({ marker }) => marker === DQT)
  if (!segment) throw new Error('no such segment')
  const bytes = Uint8Array.from(photo)
  bytes.set(values, segment.offset + 5 + first)
  return bytes
}

const NOISE = [201, 7, 93, 154, 31, 240, 118, 66, 5, 177, 89, 222, 140, 19, 61, 250]

const codes = ({ doubts }: PhotoReport): string[] => (doubts ?? []).map(({ code }) => code)
const found = ({ findings }: PhotoReport): string[] => findings.map(({ code }) => code)

describe('a JPEG photo with hit values in a quantisation table', () => {
  it.each([
    ['a stretch of them', 9, NOISE],
    ['a single one', 4, [64 + 7]],
  ])('is as it was where all other values are those of a quality: %s', async (_, first, values) => {
    const photo = drawn()
    const { report, bytes } = await repairPhoto(withValues(photo, first, values), 'jpg')
    expect(found(report)).toEqual(['jpeg.quantisation-damaged'])
    expect(report.verdict).toBe('repaired')
    expect(report.pictures[0].rebuilt).toEqual([{ part: 'quantisation tables', from: 'standard' }])
    expect(Buffer.compare(bytes, photo)).toBe(0)
  })

  it.each([
    ['a stretch of them', 9, NOISE],
    ['a single one', 4, [64 + 11]],
  ])(
    'has about its own ones where its tables are nobody else’s, with doubt: %s',
    async (_, first, values) => {
      const photo = drawn({ quantisation: OWN })
      const { report, bytes } = await repairPhoto(withValues(photo, first, values), 'jpg')
      expect(report.verdict).toBe('partial')
      expect(codes(report)).toEqual(['quantisation'])
      const own = readPhoto(photo)?.quantisation[0] ?? new Uint16Array(64)
      const steps = readPhoto(bytes)?.quantisation[0] ?? new Uint16Array(64)
      steps.subarray(0, first + 4).forEach((step, i) => {
        expect(Math.abs(Math.log(step / own[i]))).toBeLessThan(0.5)
      })
    },
  )

  it.each([
    ['single values are others’', (step: number, i: number) => (i === 12 ? 4 * step : step)],
    ['values far apart alternate', (step: number, i: number) => (i % 3 === 1 ? 3 * step : step)],
  ])('is healthy where its own tables are rough: %s', async (_, rough) => {
    const quantisation = OWN.map((table) => table.map(rough))
    const { report } = await repairPhoto(drawn({ quantisation }), 'jpg')
    expect(report.verdict).toBe('healthy')
  })
})
