import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { type Assessment, assess } from '../../../src/formats/isobmff/assess.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { readerOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { movieBoxes } from './support/movie-boxes.ts'

const assessed = (bytes: Uint8Array): Promise<Assessment> => assess(readerOf(bytes), DEFAULT_LIMITS, SILENT)

/** A movie box of which one box is nothing: its contents are zeros, or its type is. */
function hit(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return bytes.slice().fill(0, from, to)
}

describe('a movie', () => {
  const whole = fixture('h264-aac.mp4')

  it('is healthy when it is whole', async () => {
    const { healthy, reading } = await assessed(whole)
    expect([healthy, reading.movie?.whole]).toEqual([true, true])
  })

  it.each(movieBoxes(whole).map(({ path, box }) => ({ path, box })))(
    'that is not whole is not healthy, whichever box it lacks: $path',
    async ({ box }) => {
      for (const damaged of [
        hit(whole, box.offset + 8, box.end),
        hit(whole, box.offset + 4, box.offset + 8),
      ]) {
        const { healthy, reading, findings } = await assessed(damaged)
        // what makes a movie incomplete is always said
        if (!reading.movie?.whole) expect([healthy, findings.healthy]).toEqual([false, false])
        else expect(healthy).toBe(findings.healthy)
      }
    },
  )
})
