import { describe, expect, it } from 'vitest'
import { buildAvcC, parseAvcC } from '../../../src/codecs/h264/avcc.ts'
import { parseSps } from '../../../src/codecs/h264/sps.ts'
import { resizeSps } from '../../../src/codecs/h264/write-sets.ts'
import { movieOf, repaired } from './support/engine.ts'
import { type StreamRecording, streamRecording } from './support/stream-recording.ts'

const OTHER = { widthInMbs: 20, heightInMbs: 16, width: 320, height: 240 }

/** An H.264 stream as a recording, in its own size or with an index that says another. */
function recording(name: string, resized: boolean): StreamRecording {
  return streamRecording(name, 'avc1', 'avcC', (config) => {
    const sets = parseAvcC(config)
    const sps = sets && (resized ? parseSps(resizeSps(sets.sps[0], OTHER)) : sets.sps[0])
    if (!sps) throw new Error('the stream is not H.264')
    return buildAvcC([sps], sets.pps, sets.lengthSize)
  })
}

async function codedSize(file: Uint8Array): Promise<number[]> {
  const [track] = (await movieOf(file)).tracks
  const [sps] = parseAvcC(track.description.config)?.sps ?? []
  return sps ? [sps.widthInMbs, sps.heightInMbs] : []
}

describe.each(['h264-interlaced', 'h264-b-pyramid'])(
  'pictures of %s of another size than the sample',
  (name) => {
    it('come in their own', async () => {
      const own = await codedSize(recording(name, false).whole)
      const sample = recording(name, true).whole
      expect(await codedSize(sample)).not.toEqual(own)
      const { report, bytes } = await repaired(recording(name, false).media, sample)
      expect(report.findings.map(({ code }) => code)).toContain('sample.other-settings')
      expect(await codedSize(bytes)).toEqual(own)
    })

    it('are not suspected where the sample is of theirs', async () => {
      const { media, whole } = recording(name, false)
      const { report, bytes } = await repaired(media, whole)
      expect(report.findings.map(({ code }) => code)).not.toContain('sample.other-settings')
      expect(await codedSize(bytes)).toEqual(await codedSize(whole))
    })
  },
)
