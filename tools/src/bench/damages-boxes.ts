import { DamageRecorder, type Damages } from './damage.ts'
import { type TopBox, topBoxes } from './top-boxes.ts'

/** Boxes of the index that hold others (ISO/IEC 14496-12:2022 §8). */
const HOLDERS = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl'])
/** Boxes of the index that tell where samples lie, when they are shown, and what they are. */
const TOLD = new Set('mvhd tkhd elst mdhd hdlr stsd stts ctts stss stsc stsz stz2 stco co64'.split(' '))

/** The boxes of a plain file's index that are damaged one by one. */
function indexBoxes(bytes: Buffer, from = 0, inside: readonly TopBox[] = topBoxes(bytes)): TopBox[] {
  return inside.flatMap((box) => {
    const place = { ...box, start: box.start + from, body: box.body + from, end: box.end + from }
    if (TOLD.has(box.type)) return [place]
    if (!HOLDERS.has(box.type)) return []
    return indexBoxes(bytes, place.body, topBoxes(bytes.subarray(place.body, place.end)))
  })
}

const applies = (_container: string, bytes: Buffer): boolean => indexBoxes(bytes).length > 0

/** A damage of one box of the index, which is drawn. */
function ofOneBox(about: string, hurt: (recorder: DamageRecorder, box: TopBox) => DamageRecorder) {
  const apply = (bytes: Buffer, seed: number) => {
    const recorder = new DamageRecorder(bytes, seed)
    const boxes = indexBoxes(bytes)
    return hurt(recorder, boxes[recorder.pick(boxes.length)] as TopBox).finish()
  }
  return { about, applies, apply }
}

const sizeOf = (bytes: number): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(bytes)
  return size
}

/** Damages of single boxes of an ISO media file's index. */
export const BOX_DAMAGES: Damages = {
  'box-flips': ofOneBox('4 flipped bits in one box of the index', (recorder, { body, end }) =>
    recorder.flip(4, body, end),
  ),
  'box-zero': ofOneBox('one box of the index zeroed behind its header', (recorder, { body, end }) =>
    recorder.zero(body, end),
  ),
  'box-half': ofOneBox('second half of one box of the index zeroed', (recorder, { body, end }) =>
    recorder.zero(Math.ceil((body + end) / 2), end),
  ),
  'box-noise': ofOneBox('one box of the index overwritten with noise', (recorder, { body, end }) =>
    recorder.scramble(body, end),
  ),
  'box-size': ofOneBox('one box of the index with a wrong size', (recorder, { start, end }) =>
    recorder.put(start, sizeOf(Math.ceil((end - start) * (0.5 + recorder.pick(1000) / 1000)))),
  ),
}
