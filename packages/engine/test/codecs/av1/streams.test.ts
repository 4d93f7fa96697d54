import { av1 } from '../../../src/codecs/av1/index.ts'
import { survivesHostileBytes } from '../../../testing/video/hostile-laws.ts'
import { obeysStreamLaws } from '../../../testing/video/stream-laws.ts'

obeysStreamLaws(av1, 'av1', 'raw')
survivesHostileBytes(av1, ['av1'], 'raw')
