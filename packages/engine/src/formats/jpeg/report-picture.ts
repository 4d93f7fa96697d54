import { type Doubt, doubtsThat } from '../../model/doubt.ts'
import type { PictureReport } from '../../model/photo.ts'
import { areasOf } from '../../photo/picture/areas.ts'
import { ESTIMATED, FILLED, LOST, type MendedPicture, RECOVERED } from '../../photo/picture/picture.ts'
import type { FrameHeader } from '../../syntax/jpeg-markers/frame.ts'
import { SOF0, SOF1, SOF2 } from '../../syntax/jpeg-markers/markers.ts'

const PROCESSES: Readonly<Record<number, string>> = {
  [SOF0]: 'baseline',
  [SOF1]: 'extended',
  [SOF2]: 'progressive',
}

/** Sampling as it is usually written, for the shapes that have a name; else the factors. */
function sampling({ components }: FrameHeader): string {
  if (components.length === 1) return 'one component'
  const factors = components.map(({ h, v }) => `${h}x${v}`).join(' ')
  const names: Readonly<Record<string, string>> = {
    '1x1 1x1 1x1': '4:4:4',
    '2x1 1x1 1x1': '4:2:2',
    '2x2 1x1 1x1': '4:2:0',
    '1x2 1x1 1x1': '4:4:0',
    '4x1 1x1 1x1': '4:1:1',
  }
  return names[factors] ?? factors
}

/** What became of a picture, in blocks of 8 by 8. */
export function reportPicture(
  frame: FrameHeader,
  { layout, states, whole }: MendedPicture,
  orientation: number,
  rebuilt: PictureReport['rebuilt'],
): PictureReport {
  let recovered = 0
  let estimated = 0
  for (const state of states) {
    if (state === RECOVERED) recovered++
    else if (state === ESTIMATED) estimated++
  }
  const blocks = layout.blocksPerMcu
  return {
    role: 'main',
    codec: 'jpeg',
    width: frame.width,
    height: frame.height,
    orientation,
    layout: `${sampling(frame)}, ${PROCESSES[frame.marker] ?? 'other'}`,
    unit: 'block',
    total: states.length * blocks,
    recovered: recovered * blocks,
    estimated: estimated * blocks,
    lost: (states.length - recovered - estimated) * blocks,
    areas: whole ? [] : areasOf(states, layout),
    rebuilt,
  }
}

/** What of a mended picture nothing proves. */
export function pictureDoubts(mended: MendedPicture): Doubt[] {
  const gone = mended.states.some((state) => state === LOST || state === FILLED)
  const doubts = doubtsThat({
    areasLost: gone,
    detailLost: mended.detailLost,
    colour: mended.states.includes(ESTIMATED) && mended.colourEstimated,
    placement: mended.placeEstimated,
  })
  // a scan that is not as it was written, yet lacks nothing, was put together where nothing proves that it is right
  return doubts.length === 0 && !mended.whole ? doubtsThat({ placement: true }) : doubts
}
