import { vp8 } from '../../../src/codecs/vp8/index.ts'
import { tellsKeyFrames } from '../../../testing/video/framed-laws.ts'

tellsKeyFrames(vp8, 'vp8')
