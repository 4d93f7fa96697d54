import { PICTURE_RATES } from '../../codecs/mpeg12/headers.ts'
import type { TrackReport } from '../../model/report.ts'
import { SampleTable } from '../../model/sample-table.ts'
import { TrackOutcome } from '../../recording/track-outcome.ts'
import type { Survey } from './survey.ts'

const USUAL_RATE = 25

/** What is said of the one track of such a file: how many pictures, and how long they last in seconds. */
export function describe({ pictures, numbers }: Survey) {
  const sequence = pictures.at(0)?.sequence
  const rate = PICTURE_RATES[sequence?.frameRateCode ?? 0] || USUAL_RATE
  const lost = numbers.lost.reduce((sum, count) => sum + count, 0)
  const about = { id: 0, kind: 'video', codec: sequence?.mpeg1 ? 'mpeg1video' : 'mpeg2video' } as const
  return { about, rate, duration: (pictures.length + lost) / rate }
}

/** What became of the pictures, each of which lasts as long as any other. */
export function reportPictures(found: Survey): TrackReport {
  const { about, rate, duration } = describe(found)
  const outcome = new TrackOutcome(rate, 0)
  const row = new SampleTable(1)
  row.push(0, 0, 1, 1, 0, 0)
  let time = 0
  const add = (
    state: 'recovered' | 'damaged' | 'lost',
    count: number,
    offset: number,
    size: number,
  ): void => {
    row.dts[0] = time
    row.duration[0] = count
    row.count[0] = count
    row.size[0] = size
    outcome.add(state, row, 0, offset, state === 'lost' ? 'hole' : '')
    time += count
  }
  for (const [i, { start, end, torn, isGone }] of found.pictures.entries()) {
    const lost = found.numbers.lost[i]
    if (lost > 0) add('lost', lost, -1, 0)
    if (isGone) add('lost', 1, -1, 0)
    else add(torn ? 'damaged' : 'recovered', 1, start, end - start)
  }
  return outcome.report(about, duration, found.numbers.estimated ? 'estimated' : 'exact')
}
