import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { readPictures } from './read-pictures.ts'
import { repair } from './repair.ts'

/** Flash Video: Adobe Flash Video File Format Specification 10.1 Annex E, with the codecs of Enhanced RTMP v2. */
export const flv: Format = {
  name: 'flv',
  kind: 'recording',
  extensions: ['flv'],
  probe,
  diagnose,
  readPictures,
  copiesAhead: true,
  repair,
}
