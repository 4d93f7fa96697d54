import { vp9 } from '../../../src/codecs/vp9/index.ts'
import { tellsKeyFrames } from '../../../testing/video/framed-laws.ts'

tellsKeyFrames(vp9, 'vp9')
