import type { Adversary } from './adversary.ts'
import { box, fullBox, joined, repeated, text, words } from './bytes.ts'
import { FILE_TYPE, movieBox } from './movie.ts'

const EXTENDS = box('mvex', fullBox('trex', 0, words([1, 1, 1000, 0, 0])))
const INIT = joined([FILE_TYPE, movieBox([{}], EXTENDS)])

/** A fragment of one track with such runs. */
function fragment(...runs: readonly Uint8Array[]): Uint8Array {
  return box(
    'moof',
    fullBox('mfhd', 0, words([1])),
    box('traf', fullBox('tfhd', 0x020000, words([1])), ...runs),
  )
}

/** Samples of which the run says nothing. */
const unwritten = (count: number): Uint8Array => fullBox('trun', 0, words([count]))
const ONE_SAMPLE = fullBox('trun', 0x301, words([1, 100, 1000, 40]))

/** What movie fragments may do. */
export const FRAGMENT_ADVERSARIES: readonly Adversary[] = [
  {
    name: 'fragments of one sample',
    make: (bytes) => ({
      damaged: joined([
        INIT,
        repeated(joined([fragment(ONE_SAMPLE), box('mdat', new Uint8Array(40))]), bytes),
      ]),
    }),
  },
  {
    name: 'fragments without a movie box',
    make: (bytes) => ({
      damaged: joined([
        FILE_TYPE,
        repeated(joined([fragment(ONE_SAMPLE), box('mdat', new Uint8Array(40))]), bytes),
      ]),
    }),
  },
  {
    name: 'runs of four thousand million samples of no size',
    make: (bytes) => ({
      damaged: joined([INIT, fragment(repeated(unwritten(0xffff_ffff), bytes - (bytes % 16)))]),
    }),
  },
  {
    name: 'empty fragments',
    make: (bytes) => ({ damaged: joined([INIT, repeated(box('moof'), bytes & ~7)]) }),
  },
  {
    name: 'fragments of tracks that nobody knows',
    make: (bytes) => {
      const moof = fragment(ONE_SAMPLE)
      const whole = repeated(moof, Math.floor(bytes / moof.length) * moof.length)
      const view = new DataView(whole.buffer)
      // the track's number: behind the headers of moof, mfhd (16 bytes), traf, tfhd and its flags
      for (let at = 0, id = 2; at < whole.length; at += moof.length, id++) view.setUint32(at + 44, id)
      return { damaged: joined([INIT, whole]) }
    },
  },
  {
    name: 'fragment headers all over the media data',
    make: (bytes) => ({
      damaged: joined([FILE_TYPE, box('mdat', repeated(joined([words([24]), text('moof')]), bytes))]),
    }),
  },
]
