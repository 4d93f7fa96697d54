import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../../src/bytes/limits.ts'
import { MemorySink } from '../../../../src/bytes/sink.ts'
import { type Assessment, assess, type HeldIndex } from '../../../../src/formats/isobmff/assess.ts'
import type { Teacher } from '../../../../src/formats/isobmff/ways/carve-file.ts'
import { rivalByCarving } from '../../../../src/formats/isobmff/ways/index/carve-beside-index.ts'
import {
  fromSurvivingIndex,
  type RecoveredTrack,
} from '../../../../src/formats/isobmff/ways/index/surviving-index.ts'
import { DOUBT, type Doubt } from '../../../../src/model/doubt.ts'
import { SILENT } from '../../../../src/model/monitor.ts'
import { SampleTable } from '../../../../src/model/sample-table.ts'
import { movieOf, readerOf } from '../support/engine.ts'
import { type FixtureName, fixture } from '../support/fixtures.ts'

interface Held {
  readonly assessment: Assessment
  readonly index: HeldIndex
  readonly tracks: readonly RecoveredTrack[]
}

/** A film held against its bytes, as `change` leaves its index before its entries are kept. */
async function held(bytes: Uint8Array, change: (index: HeldIndex) => void = () => {}): Promise<Held> {
  const assessment = await assess(readerOf(bytes), DEFAULT_LIMITS, SILENT)
  const { index } = assessment
  if (!index) throw new Error('no index')
  change(index)
  return { assessment, index, tracks: fromSurvivingIndex(readerOf(bytes), index, 'keep') }
}

async function sampleOf(bytes: Uint8Array): Promise<Teacher> {
  const movie = await movieOf(bytes)
  return { reader: readerOf(bytes), movie, tracks: movie.tracks, origin: 'sample' }
}

/** What carving makes of it. */
async function rival(
  bytes: Uint8Array,
  { assessment, index, tracks }: Held,
  doubts: readonly Doubt[] = [],
  teacher?: Teacher,
) {
  const job = {
    damaged: { reader: readerOf(bytes), name: 'damaged.mp4' },
    ...{ sink: new MemorySink(), limits: DEFAULT_LIMITS, monitor: SILENT },
    options: { damagedFrames: 'keep' },
  } as unknown as Parameters<typeof rivalByCarving>[0]
  const recovery = { movie: index.movie, tracks, sampleUsed: [], doubts }
  return rivalByCarving(job, assessment, index, teacher, recovery, [])
}

const FILM = fixture('h264-aac.mp4')

/** The film, its pictures under a sample entry that nobody knows. */
function renamed(): Uint8Array {
  const bytes = Buffer.from(FILM)
  bytes.write('zz9a', bytes.indexOf('avc1', bytes.indexOf('stsd')), 'latin1')
  return bytes
}

describe('entries whose pictures tell another order than they are shown in', () => {
  async function doubts(shift: number, flipped: number) {
    const film = await held(FILM, ({ alignment, movie }) => {
      // neighbours are shown in each other's place, as no table by itself tells
      const { samples } = movie.tracks[0]
      const { cts, dts, length } = samples
      for (let row = 0; row + 1 < length; row += 2) {
        const late = dts[row + 1] - dts[row]
        const [first, second] = [cts[row], cts[row + 1]]
        cts[row] = second + late
        cts[row + 1] = first - late
      }
      Object.assign(alignment, { flipped, pieces: [{ from: 0, shift, rows: length }] })
    })
    return (await rival(FILM, film))?.doubts
  }

  it('are in doubt where bytes lie elsewhere than said, and the index was hit', async () => {
    expect(await doubts(512, 1)).toContain(DOUBT.times)
  })

  it('are as they were written where all bytes lie in their place', async () => {
    expect((await doubts(0, 1)) ?? []).toEqual([])
    expect((await doubts(512, 0)) ?? []).toEqual([])
  })
})

it('bytes that are explained leave no doubt but of what was assumed, and of what lies elsewhere', async () => {
  const film = await held(FILM)
  const pictures = { ...film, tracks: film.tracks.slice(0, 1) }
  const found = await rival(
    FILM,
    pictures,
    [DOUBT.unexplained, DOUBT.moved, DOUBT.assumed],
    await sampleOf(FILM),
  )
  expect(found?.tracks.map(({ plan }) => plan.template.description.kind)).toEqual(['video', 'audio'])
  expect(found?.doubts).toEqual([DOUBT.moved, DOUBT.assumed])
})

it.each<[FixtureName, boolean]>([
  ['h264-pcm.mov', true],
  ['h264-aac.mp4', false],
])(
  'sound of %s that the bytes alone show is assumed where nothing in it tells what it is: %s',
  async (name, assumed) => {
    const bytes = fixture(name)
    const film = await held(bytes)
    const found = await rival(bytes, { ...film, tracks: film.tracks.slice(0, 1) }, [DOUBT.indexHit])
    expect(found?.tracks.length).toBe(2)
    expect(found?.doubts.includes(DOUBT.assumed)).toBe(assumed)
  },
)

describe('a track of which the index has lost much', () => {
  /** How the pictures are timed of which every other entry is lost, and how many there are then. */
  async function pictures(film: Uint8Array) {
    const whole = await held(film)
    const [first, ...others] = whole.tracks
    const { table } = first.plan
    const outcome = first.outcome.anew()
    const kept = new SampleTable()
    for (let row = 0; row < table.length; row++) {
      const { offset, size, count, duration, order, flags } = table
      if (row % 2 === 1) outcome.add('lost', table, row, -1, 'damaged')
      else kept.push(offset[row], size[row], count[row], duration[row], order[row], flags[row])
    }
    const lossy = { ...first, outcome, plan: { ...first.plan, table: kept, grown: true as const } }
    const tracks = [lossy, ...others]
    const found = await rival(film, { ...whole, tracks }, [DOUBT.indexHit], await sampleOf(film))
    const { plan } = found?.tracks[0] ?? lossy
    return [plan.times, plan.table.length]
  }

  it('is taken as carving finds it', async () => {
    expect(await pictures(FILM)).toEqual([expect.not.stringMatching('index'), 50])
  })

  it('is left as the index has it where nothing tells the order of its pictures', async () => {
    expect(await pictures(renamed())).toEqual(['index', 25])
  })
})
