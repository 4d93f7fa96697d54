import { expect, it } from 'vitest'
import { repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

it.each([-700])(
  'a last run whose offset alone is off by %i leaves no sample damaged where all fit the media data',
  async (by) => {
    const damaged = fixture('h264-aac-fragmented.mp4').slice()
    const boxes = Buffer.from(damaged.buffer)
    const sound = boxes.lastIndexOf('trun')
    boxes.writeInt32BE(boxes.readInt32BE(sound + 12) + by, sound + 12)
    const { report, bytes } = await repaired(damaged)
    expect(report.tracks.map(({ damaged, lost }) => ({ damaged, lost }))).toEqual([
      { damaged: 0, lost: 0 },
      { damaged: 0, lost: 0 },
    ])
    expect(report.findings.map(({ message }) => message)).toEqual([
      expect.stringContaining(`the index is off by ${-by} bytes for`),
    ])
    const [whole, found] = await Promise.all([seen(fixture('h264-aac-fragmented.mp4')), seen(bytes)])
    for (const [i, stream] of whole.entries())
      expect(recovered(stream, found[i]).packets).toBe(stream.packets.length)
  },
)
