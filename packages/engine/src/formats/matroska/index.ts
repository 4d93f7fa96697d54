import type { Format } from '../format.ts'
import { diagnose } from './diagnose.ts'
import { probe } from './probe.ts'
import { readPictures } from './read-pictures.ts'
import { repair } from './repair.ts'

/** Matroska and WebM: RFC 9559 on RFC 8794. */
export const matroska: Format = {
  name: 'matroska',
  kind: 'recording',
  extensions: ['mkv', 'webm'],
  probe,
  diagnose,
  readPictures,
  copiesAhead: true,
  repair,
}
