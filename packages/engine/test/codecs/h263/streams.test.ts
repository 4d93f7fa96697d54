import { h263 } from '../../../src/codecs/h263/index.ts'
import { survivesHostileBytes } from '../../../testing/video/hostile-laws.ts'
import { obeysStreamLaws } from '../../../testing/video/stream-laws.ts'

obeysStreamLaws(h263, 'h263', 'raw')
survivesHostileBytes(h263, ['h263'], 'raw')
