import { mpeg1video, mpeg2video } from '../../../src/codecs/mpeg12/index.ts'
import { survivesHostileBytes } from '../../../testing/video/hostile-laws.ts'
import { obeysStreamLaws } from '../../../testing/video/stream-laws.ts'

for (const name of ['mpeg2-b', 'mpeg2-interlaced', 'mpeg2-422'])
  obeysStreamLaws(mpeg2video, name, 'raw', 'learned')
obeysStreamLaws(mpeg1video, 'mpeg1-b', 'raw', 'learned')
survivesHostileBytes(mpeg2video, ['mpeg2-b', 'mpeg2-interlaced', 'mpeg2-422'], 'raw')
survivesHostileBytes(mpeg1video, ['mpeg1-b'], 'raw')
