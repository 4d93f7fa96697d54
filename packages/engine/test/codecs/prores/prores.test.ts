import { prores } from '../../../src/codecs/prores/index.ts'
import { survivesHostileBytes } from '../../../testing/video/hostile-laws.ts'
import { obeysStreamLaws } from '../../../testing/video/stream-laws.ts'

obeysStreamLaws(prores, 'prores', 'raw')
survivesHostileBytes(prores, ['prores'], 'raw')
