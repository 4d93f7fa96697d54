import { describe, expect, it } from 'vitest'
import { diagnose, MemorySource, repair } from '../../../src/index.ts'
import {
  type HostileInput,
  ISO_ADVERSARIES,
  STRUCTURE_ADVERSARIES,
} from '../../../testing/adversaries/index.ts'

/** Small enough to be quick, long enough for what grows with the square of it. */
const BYTES = 20_000
/** Processor time: a busy machine is no fault. Half of it is a test runner's wrapping, which slows loops several times. */
const SECONDS = 8
/** A result may be so many times as long as what went in, and so many bytes longer. */
const GROWTH = 8
const GROWTH_BYTES = 4_000_000

const file = (bytes: Uint8Array) => ({ source: new MemorySource(bytes), name: 'film.mp4' })

/** Bytes that a repair writes. */
async function written({ damaged, sample }: HostileInput): Promise<number> {
  const sink = {
    position: 0,
    write(bytes: Uint8Array): void {
      this.position += bytes.length
    },
  }
  await repair({ damaged: file(damaged), ...(sample ? { sample: file(sample) } : {}), sink })
  return sink.position
}

/** Processor seconds of this thread that work takes. */
async function seconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1e6
}

describe('bytes made to cost time', () => {
  it.each(ISO_ADVERSARIES)(
    '$name: are answered in time, and the answer does not outgrow them',
    async ({ make }) => {
      const input = make(BYTES)
      let bytes = 0
      const repairing = await seconds(async () => {
        bytes = await written(input)
      })
      expect(repairing).toBeLessThan(SECONDS)
      const { damaged, sample } = input
      expect(bytes).toBeLessThan(GROWTH * (damaged.length + (sample?.length ?? 0)) + GROWTH_BYTES)
    },
    120_000,
  )

  it.each(STRUCTURE_ADVERSARIES)(
    '$name: are diagnosed in time',
    async ({ make }) => {
      const { damaged } = make(BYTES)
      expect(await seconds(() => diagnose({ file: file(damaged) }))).toBeLessThan(SECONDS)
    },
    120_000,
  )
})
