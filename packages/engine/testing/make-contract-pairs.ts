import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clipOf, RECIPES } from '@mendframe/tools/src/media/catalogue.ts'
import { makeClip } from '@mendframe/tools/src/media/make-clip.ts'

/**
 * `node packages/engine/testing/make-contract-pairs.ts`: makes the contract suite's pairs of a recording and a calmer sample
 * of the same settings anew, the same every time.
 */
const FIXTURES: Readonly<Record<string, readonly string[]>> = {
  avi: ['avi-h264-mp3', 'avi-mpeg4-low-mp3'],
  isobmff: [
    'h264-camera-aac',
    'h264-pcm-chunks',
    'h264-fragmented-aac',
    'hevc-b-aac',
    'h264-silent',
    'h264-two-aac',
    '3gp-mpeg4-amr',
  ],
  asf: ['wmv-wmv1-wma1', 'asf-msmpeg4-mp3'],
  flv: ['flv-h264-aac', 'flv-h263-mp3', 'flv-hevc-aac'],
  mpegts: ['mts-h264-ac3', 'ts-hevc-two-aac'],
  mpegps: ['mpg-mpeg2-mp2', 'vob-mpeg2-ac3'],
  mpegvideo: ['mpg-bare-mpeg2', 'mpg-bare-mpeg1'],
  matroska: ['mkv-h264-aac', 'webm-vp9-opus'],
}

/** Small enough to be kept with the sources, long enough for several groups of pictures. */
const SHAPE = { seconds: 1.5, width: 128, height: 72, seed: 1 }

/** Formats to make the pairs of; all by default. */
const wanted = process.argv.slice(2)
const root = join(dirname(fileURLToPath(import.meta.url)), 'fixtures')
for (const [format, names] of Object.entries(FIXTURES)) {
  if (wanted.length > 0 && !wanted.includes(format)) continue
  const folder = join(root, format)
  mkdirSync(folder, { recursive: true })
  for (const name of names) {
    const extension = RECIPES[name]?.extension ?? 'bin'
    await makeClip(clipOf(name, 'victim', SHAPE), join(folder, `${name}.${extension}`))
    await makeClip(clipOf(name, 'calm-sample', SHAPE), join(folder, `${name}.sample.${extension}`))
  }
}
