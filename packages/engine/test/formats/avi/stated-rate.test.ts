import { expect, it } from 'vitest'
import { parts } from '../../../src/formats/avi/recipes.ts'
import { config, film, layer } from '../../../testing/video/mpeg4-clocks.ts'
import { bitmap, type MadeChunk, type MadeStream, makeAvi, wave } from './support/make-avi.ts'
import { repaired } from './support/repaired.ts'

const PICTURES = 60
/** Ticks of the layer's clock from picture to picture. */
const STEP = 5
const SOUND_RATE = 44_100
const FRAME_BYTES = 4

const video: MadeStream = {
  ...{ type: 'vids', handler: 'FMP4', scale: STEP, rate: layer.timeResolution, sampleSize: 0 },
  format: bitmap('FMP4', 64, 48, 9216),
}
const sound: MadeStream = {
  ...{ type: 'auds', handler: '\0\0\0\0', scale: 1, rate: SOUND_RATE, sampleSize: FRAME_BYTES },
  format: wave(1, 2, SOUND_RATE, FRAME_BYTES, 16),
}

/** Pictures of MPEG-4, the first one with the headers of all. */
function pictures(): Uint8Array[] {
  const bytes = Buffer.from(film(layer.timeResolution, STEP, PICTURES * STEP))
  const starts = [...bytes.keys()].filter((at) => at + 4 <= bytes.length && bytes.readUInt32BE(at) === 0x1b6)
  return starts.map((start, i) => {
    const own = bytes.subarray(start, starts[i + 1] ?? bytes.length)
    return i === 0 ? Buffer.concat([config, own]) : own
  })
}

/** A film of such pictures, with sound of so much of their time, without its head and its index. */
function headless(soundShare: number): Uint8Array {
  const seconds = (STEP / layer.timeResolution) * soundShare
  const tone = Buffer.alloc(Math.round(SOUND_RATE * seconds) * FRAME_BYTES)
  for (let at = 0; at + 2 <= tone.length; at += 2) tone.writeInt16LE(Math.round(9000 * Math.sin(at / 40)), at)
  const chunks = pictures().flatMap((bytes): MadeChunk[] => [
    { id: '00dc', bytes },
    ...(soundShare > 0 ? [{ id: '01wb', bytes: tone }] : []),
  ])
  const bytes = makeAvi(soundShare > 0 ? [video, sound] : [video], chunks)
  const { index } = parts(bytes)
  return bytes.fill(0, 0, Buffer.from(bytes).indexOf('movi')).fill(0, index)
}

it.each([
  ['no sound is beside them', 0, true],
  ['sound beside them lasts as long as that rate makes them', 1, false],
  ['sound beside them lasts as no usual sound at that rate', 0.7, true],
] as const)('the rate that pictures alone state is a doubt, or none: %s', async (_, share, isDoubt) => {
  const { report } = await repaired(headless(share))
  const codes = report.doubts?.map(({ code }) => code) ?? []
  expect(report.verdict).not.toBe('unrepairable')
  expect(codes.includes('stated-rate')).toBe(isDoubt)
})
