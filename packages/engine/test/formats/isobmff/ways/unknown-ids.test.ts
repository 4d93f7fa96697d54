import { expect, it } from 'vitest'
import { movieOf, repaired } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

/** A recording in fragments without its description, its tracks under other numbers than a sample's. */
function headless(numbers: readonly number[]): Uint8Array {
  const bytes = Buffer.from(fixture('h264-aac-fragmented.mp4'))
  bytes.fill(0, bytes.indexOf('moov'), bytes.indexOf('moof') - 4)
  for (let at = bytes.indexOf('tfhd'); at > 0; at = bytes.indexOf('tfhd', at + 1))
    bytes.writeUInt32BE(numbers[bytes.readUInt32BE(at + 8) - 1] ?? 0, at + 8)
  return bytes
}

it.each([[[1, 2]], [[3, 4]], [[1, 9]], [[2, 1]]])(
  'fragments of tracks %j are those of a sample that have what they hold',
  async (numbers) => {
    const { report, bytes } = await repaired(headless(numbers), fixture('h264-aac.mp4'))
    expect(report.strategies.map(({ name }) => name)).toContain('fragments')
    const { tracks } = await movieOf(bytes)
    expect(tracks.map(({ description, samples }) => `${description.codec} ${samples.length}`)).toEqual([
      'h264 50',
      'aac 95',
    ])
  },
)
