import { describe, expect, it } from 'vitest'
import { SampleTable } from '../../../src/model/sample-table.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { Turns } from '../../../src/recovery/unframed/turn-costs.ts'

const VIDEO: TrackDescription = {
  id: 1,
  kind: 'video',
  codec: 'vp9',
  timescale: 1000,
  config: new Uint8Array(0),
  framing: 'raw',
}
const SOUND: TrackDescription = { ...VIDEO, id: 2, kind: 'audio', codec: 'opus' }

/** Pictures of 40 ms of which each lies in front of the two units of sound of 20 ms that begin no earlier. */
function turns(): Turns {
  const [pictures, sound] = [new SampleTable(), new SampleTable()]
  for (let picture = 0; picture < 30; picture++) {
    pictures.push(3000 * picture, 1000, 1, 40, picture, 0)
    pictures.dts[picture] = 40 * picture
    for (const unit of [2 * picture, 2 * picture + 1]) {
      sound.push(3000 * picture + 1000 + 100 * (unit & 1), 100, 1, 20, unit, 0)
      sound.dts[unit] = 20 * unit
    }
  }
  const tracks = [
    { description: VIDEO, table: pictures },
    { description: SOUND, table: sound },
  ]
  return new Turns(tracks, [0.04, 0.02])
}

/** Every question: what came last, seconds apart (distances that lie side by side among them), what is next. */
const QUESTIONS = [0, 1].flatMap((last) =>
  [-0.06, -0.02, 0, 0.015, 0.01625, 0.02, 0.04, 0.1].flatMap((apart) =>
    [0, 1].map((lane) => [last, apart, lane] as const),
  ),
)

describe('whose turn it is', () => {
  it('is as the recording had it', () => {
    const known = turns()
    // behind a picture the first unit of sound, behind that the second, then a picture
    expect(known.bits(0, 0.04, 1)).toBeGreaterThan(-0.1)
    expect(known.bits(0, 0.04, 0)).toBeLessThan(-5)
    expect(known.bits(1, 0.02, 1)).toBeGreaterThan(-0.1)
    expect(known.bits(1, 0, 0)).toBeGreaterThan(-0.1)
    expect(known.bits(1, 0, 1)).toBeLessThan(-5)
  })

  it('is the same whatever was asked before', () => {
    const fresh = QUESTIONS.map(([last, apart, lane]) => turns().bits(last, apart, lane))
    const asked = turns()
    const once = QUESTIONS.map(([last, apart, lane]) => asked.bits(last, apart, lane))
    const twice = QUESTIONS.toReversed().map(([last, apart, lane]) => asked.bits(last, apart, lane))
    expect(once).toEqual(fresh)
    expect(twice.toReversed()).toEqual(fresh)
  })
})
