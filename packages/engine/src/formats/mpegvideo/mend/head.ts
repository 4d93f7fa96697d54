import type { ByteReader } from '../../../bytes/reader.ts'
import { PICTURE_RATES } from '../../../codecs/mpeg12/headers.ts'
import { fitsShape, headOfShape } from '../../../codecs/mpeg12/lent-head.ts'
import { shapeOf } from '../../../codecs/mpeg12/picture-shape.ts'
import { readSequenceHead } from '../../../codecs/mpeg12/sequence-head.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { findHeads, firstPictures, type Head, type Heads } from '../read/heads.ts'

/** Bytes of pictures by which their size is seen. */
const MOST_LOOKED_AT = 512 << 10
/** Where nothing tells how many pictures a second has. */
const USUAL_RATE = 25

/** The sequence header that a file's first pictures are read by. */
export interface ChosenHead {
  readonly head: Head
  readonly from: 'file' | 'sample' | 'pictures'
  /** Not all that it says is proven. */
  readonly assumed: boolean
}

/**
 * The file's own sequence header, which may stand behind pictures that need it; else the sample's where pictures are as large as
 * it says; else one made of what the pictures tell. Undefined where none can be.
 */
export async function chooseHead(
  reader: ByteReader,
  { usual }: Heads,
  sample: ByteReader | undefined,
  monitor: Monitor,
): Promise<ChosenHead | undefined> {
  if (usual) return { head: usual, from: 'file', assumed: false }
  const shape = shapeOf(firstPictures(reader, MOST_LOOKED_AT))
  const lent = sample && (await findHeads(sample, monitor)).usual
  if (lent && fitsShape(lent.bytes, shape)) return { head: lent, from: 'sample', assumed: !shape }
  const bytes = shape && headOfShape(shape, PICTURE_RATES.indexOf(USUAL_RATE))
  const sequence = bytes && readSequenceHead(bytes)
  return sequence && { head: { bytes, sequence }, from: 'pictures', assumed: true }
}
