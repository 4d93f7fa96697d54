import { mpeg4 } from '../../../src/codecs/mpeg4/index.ts'
import { survivesHostileBytes } from '../../../testing/video/hostile-laws.ts'
import { obeysStreamLaws } from '../../../testing/video/stream-laws.ts'

for (const name of [
  'mpeg4-simple',
  'mpeg4-b',
  'mpeg4-qpel-4mv',
  'mpeg4-packets',
  'mpeg4-interlaced',
  'mpeg4-matrix',
]) {
  obeysStreamLaws(mpeg4, name, 'raw')
}
survivesHostileBytes(mpeg4, ['mpeg4-simple', 'mpeg4-b', 'mpeg4-packets'], 'raw')
