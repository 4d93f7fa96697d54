import { h264 } from '../../../src/codecs/h264/index.ts'
import { obeysStreamLaws } from '../../../testing/video/stream-laws.ts'

for (const name of [
  'h264-baseline',
  'h264-b-pyramid',
  'h264-b-adaptive',
  'h264-slices-2',
  'h264-slices-8',
  'h264-interlaced',
  'h264-10-bit',
  'h264-422-10-bit-intra',
  'h264-aud-repeated-headers',
  'h264-cavlc',
]) {
  obeysStreamLaws(h264, name, 'length')
}
obeysStreamLaws(h264, 'h264-start-codes', 'startcode')
