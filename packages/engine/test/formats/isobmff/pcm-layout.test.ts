import { expect, it } from 'vitest'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import { outlastsPictures } from '../../../src/recording/judge/outlasting-sound.ts'
import { movieOf, repaired, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

/** Pictures at 25 a second, and plain sound of 16 bits in one channel. */
const SOURCE = fixture('h264-pcm.mov')
/** Where the rate stands in a sample entry of sound, in front of the 16 bits of its fraction. */
const SOURCE_RATE = Buffer.from([8000 >> 8, 8000 & 255, 0, 0])

/** The pictures, each with its share of a tone in stereo at a rate in Hz. */
async function withTone(rate: number): Promise<Uint8Array> {
  const plan = wholePlan(await movieOf(SOURCE))
  const [pictures, { template }] = plan.tracks
  const frames = rate / 25
  const parts: Uint8Array[] = []
  const [shown, heard] = [new SampleTable(), new SampleTable()]
  let end = 0
  for (let row = 0; row < pictures.table.length; row++) {
    const { offset, size, duration, order, flags, cts, dts } = pictures.table
    const at = shown.push(end, size[row], 1, duration[row], order[row], flags[row])
    shown.cts[at] = cts[row]
    shown.dts[at] = dts[row]
    const tone = Buffer.alloc(frames * 4)
    for (let frame = 0; frame < frames; frame++) {
      const time = (row * frames + frame) / rate
      tone.writeInt16LE(Math.round(9000 * Math.sin(time * 2765)), frame * 4)
      tone.writeInt16LE(Math.round(7000 * Math.sin(time * 4021)), frame * 4 + 2)
    }
    const sound = heard.push(end + size[row], tone.length, frames, frames, row, SAMPLE_KEY)
    heard.dts[sound] = row * frames
    parts.push(SOURCE.subarray(offset[row], offset[row] + size[row]), tone)
    end += size[row] + tone.length
  }
  const entry = Buffer.from(template.sampleDescription)
  const at = entry.indexOf(SOURCE_RATE)
  entry.writeUInt16BE(rate, at)
  // ISO/IEC 14496-12:2022 §12.2.3: channelcount stands 8 bytes before
  entry.writeUInt16BE(2, at - 8)
  const own = {
    ...template,
    edits: undefined,
    description: { ...template.description, timescale: rate, sampleRate: rate, channels: 2, blockAlign: 4 },
    mediaHeader: { ...template.mediaHeader, timescale: rate },
    sampleDescription: new Uint8Array(entry),
  }
  const templates = [pictures.template, own]
  const tables = [shown, heard]
  const tracks = templates.map((track, i) => ({ template: track, table: tables[i], times: 'index' as const }))
  return write({ movie: { ...plan.movie, tracks: templates }, tracks }, new Uint8Array(Buffer.concat(parts)))
}

it('plain sound of another rate than the sample’s is recognised by the bytes between pictures', async () => {
  const film = await withTone(44_100)
  const { report, bytes } = await repaired(indexZeroed(film), await withTone(48_000))
  const [, { description }] = (await movieOf(bytes)).tracks
  expect(description).toMatchObject({ codec: 'pcm', sampleRate: 44_100, channels: 2 })
  const [pictures] = await seen(film)
  const [found] = await seen(bytes)
  const { length } = pictures.packets
  expect(recovered(pictures, found)).toEqual({ packets: length, timed: length })
  expect(report.findings.map(({ code }) => code)).toContain('sample.other-settings')
})

it('plain sound of a rate that is not usual is not called repaired beside a sample of another', async () => {
  const { report } = await repaired(indexZeroed(SOURCE), await withTone(48_000))
  expect(report.verdict).toBe('partial')
  expect(report.doubts?.length).toBeGreaterThan(0)
})

it('plain sound that lasts much longer than the pictures hides some of these', async () => {
  const { tracks } = wholePlan(await movieOf(await withTone(48_000)))
  const timed = tracks.map(({ template, table }) => ({ description: template.description, table }))
  expect(outlastsPictures(timed)).toBe(false)
  tracks[0].table.truncate(1)
  expect(outlastsPictures(timed)).toBe(true)
})
