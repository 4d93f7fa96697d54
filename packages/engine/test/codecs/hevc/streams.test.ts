import { hevc } from '../../../src/codecs/hevc/index.ts'
import { obeysStreamLaws } from '../../../testing/video/stream-laws.ts'

for (const name of [
  'hevc-p',
  'hevc-b-pyramid',
  'hevc-open-gop',
  'hevc-radl',
  'hevc-10-bit',
  'hevc-422-10-bit',
  'hevc-444-10-bit',
  'hevc-slices',
  'hevc-repeated-headers',
  'hevc-sao-without-deblocking',
  'hevc-temporal-layers',
]) {
  obeysStreamLaws(hevc, name, 'length')
}
obeysStreamLaws(hevc, 'hevc-start-codes', 'startcode')
