import { describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import type { PhotoReport } from '../../../src/model/report.ts'
import { walkSegments } from '../../../src/syntax/jpeg-markers/segments.ts'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { readPhoto } from '../../../testing/photos/read-photo.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'

const SOS = 0xda
const PLAIN = { sampling: [2, 2], quality: 95, interval: 0 } as const
const [WIDTH, HEIGHT] = [640, 480]
/** A drawn picture that is black and white somewhere in its lower half, as most photos are. */
function drawn(seed: number): ReturnType<typeof drawPicture> {
  const picture = drawPicture(WIDTH, HEIGHT, seed)
  for (let y = HEIGHT - 96; y < HEIGHT - 32; y++) {
    picture.pixels.fill(0, 3 * (y * WIDTH + 64), 3 * (y * WIDTH + 160))
    picture.pixels.fill(255, 3 * (y * WIDTH + 320), 3 * (y * WIDTH + 416))
  }
  return picture
}

const size = { width: WIDTH, height: HEIGHT }

async function mend(
  bytes: Uint8Array,
  sample?: Uint8Array,
): Promise<{ report: PhotoReport; output: Uint8Array }> {
  const sink = new MemorySink()
  const report = await repair({
    damaged: { source: new MemorySource(bytes), name: 'photo.jpg' },
    ...(sample ? { sample: { source: new MemorySource(sample), name: 'sample.jpg' } } : {}),
    sink,
  })
  if (report.kind !== 'photo') throw new Error('not taken for a photo')
  return { report, output: sink.bytes() }
}

/** A photo without its head and a part of its scan: zeros stand there. */
function withoutFront(photo: Uint8Array, part: number): Uint8Array {
  const scan = walkSegments(photo, 0).find(({ marker }) => marker === SOS)?.end ?? 0
  return Uint8Array.from(photo).fill(0, 0, Math.floor(scan + part * (photo.length - scan)))
}

/** Mean levels by which blocks of the lower half are off, by component. */
function off(one: Uint8Array, other: Uint8Array): number[] {
  const [own, its] = [readPhoto(one), readPhoto(other)]
  if (!own || !its) throw new Error('not read')
  const { layout } = own
  return layout.components.map((component, index) => {
    let sum = 0
    let count = 0
    for (let row = component.blocksHigh >> 1; row < component.blocksHigh; row++)
      for (let column = 0; column < component.blocksWide; column++) {
        const at = layout.blockOffset(component, column, row)
        const step = (photo: typeof own): number => photo.quantisation[index]?.[0] ?? 0
        sum += Math.abs(own.coefficients[at] * step(own) - its.coefficients[at] * step(its)) / 8
        count++
      }
    return sum / count
  })
}

describe('a JPEG photo without its head and the front of its scan', () => {
  it.each([0.1, 0.25])(
    'has the size of a sample, not one by the rows that a part of %f leaves',
    async (part) => {
      const photo = writePhoto(drawn(3), PLAIN)
      const sample = writePhoto(drawn(12), PLAIN)
      const { report } = await mend(withoutFront(photo, part), sample)
      expect(report.pictures[0]).toMatchObject(size)
      expect((report.doubts ?? []).map(({ code }) => code)).toContain('size')
    },
  )

  it('has common proportions that leave room for what the bytes in front of it held', async () => {
    const photo = writePhoto(drawn(3), { ...PLAIN, quality: 98 })
    const { report } = await mend(Uint8Array.from([...new Uint8Array(12_000), ...withoutFront(photo, 0.15)]))
    expect(report.pictures[0]).toMatchObject(size)
  })

  it('has the tables of a sample, by levels behind the first restart marker', async () => {
    const coded = { ...PLAIN, interval: WIDTH / 16 }
    const photo = writePhoto(drawn(34), coded)
    const { report, output } = await mend(withoutFront(photo, 0.3), writePhoto(drawn(12), coded))
    expect(report.pictures[0].rebuilt).toContainEqual({ part: 'quantisation tables', from: 'sample' })
    expect(Math.max(...off(output, photo))).toBe(0)
  })

  it.each([3, 34])('lies between black and white, which have no colour: %i', async (seed) => {
    const photo = writePhoto(drawn(seed), PLAIN)
    const sample = writePhoto(drawn(5), PLAIN)
    const { report, output } = await mend(withoutFront(photo, 0.3), sample)
    expect((report.doubts ?? []).map(({ code }) => code)).toContain('colour')
    expect(Math.max(...off(output, photo))).toBeLessThan(1)
  })
})
