import { SampleTable } from '../../../../src/model/sample-table.ts'

/** Samples of a packet of sound. */
export const UNIT = 1024

/** Where pictures and packets of sound lie. */
export interface Film {
  readonly picture: SampleTable
  readonly sound: SampleTable
}

/** Pictures at `times` of a rate, among sound, as a multiplexer writes them that takes whichever is behind. */
export function film(times: readonly number[], rate: number, hertz: number): Film {
  const [picture, sound] = [new SampleTable(), new SampleTable()]
  for (let at = 0; picture.length < times.length; at++) {
    const heard = sound.length * UNIT
    if (heard / hertz < times[picture.length] / rate) {
      sound.dts[sound.push(at, 1, 1, UNIT, sound.length, 0)] = heard
    } else picture.push(at, 1, 1, 1, picture.length, 0)
  }
  return { picture, sound }
}

/** As many pictures of a rate, of which some are left out here and there. */
export function times(count: number): number[] {
  const at: number[] = []
  for (let time = 0, seed = 7; at.length < count; time++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    if (seed > 2 ** 29) at.push(time)
  }
  return at
}
