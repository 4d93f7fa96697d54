import { describe, expect, it } from 'vitest'
import { indexZeroed } from '../../../src/formats/isobmff/recipes.ts'
import { repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

const ORIGINAL = 'h264-aac.mp4'

async function lostOf(bytes: Uint8Array): Promise<{ missing: number; mistimed: number }> {
  const found = await seen(bytes)
  let missing = 0
  let mistimed = 0
  for (const stream of await seen(fixture(ORIGINAL))) {
    const twin = found.find(({ kind, codec }) => kind === stream.kind && codec === stream.codec)
    const { packets, timed } = recovered(stream, twin)
    missing += stream.packets.length - packets
    mistimed += packets - timed
  }
  return { missing, mistimed }
}

/** The recording with its pictures counted in ticks of another length. */
function atTimescale(bytes: Uint8Array, timescale: number): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  const header = text.indexOf('mdhd', text.indexOf('trak'))
  new DataView(bytes.buffer).setUint32(header + 16, timescale)
  return bytes
}

function timescaleOf(bytes: Uint8Array): number {
  const text = Buffer.from(bytes).toString('latin1')
  return new DataView(bytes.buffer).getUint32(text.indexOf('mdhd', text.indexOf('trak')) + 16)
}

describe('a sample of other settings', () => {
  it('of another codec is recognised and said so, and the file is repaired by its own bytes', async () => {
    const { report, bytes } = await repaired(indexZeroed(fixture(ORIGINAL)), fixture('hevc-aac.mp4'))
    const finding = report.findings.find(({ code }) => code === 'sample.other-settings')
    expect(finding?.message).toContain('hevc 128x72 in the sample, h264 128x72 in the file')
    expect(report.verdict).toBe('repaired')
    expect(await lostOf(bytes)).toEqual({ missing: 0, mistimed: 0 })
  })

  it('of another frame rate is recognised, and pictures come at their own', async () => {
    const twin = fixture('h264-aac-twin.mp4')
    const sample = atTimescale(twin, timescaleOf(twin) * 2)
    const { report, bytes } = await repaired(indexZeroed(fixture(ORIGINAL)), sample)
    const finding = report.findings.find(({ code }) => code === 'sample.other-settings')
    expect(finding?.message).toContain('50 a second in the sample, 25 in the file')
    expect(await lostOf(bytes)).toEqual({ missing: 0, mistimed: 0 })
  })

  it('is not suspected where the sample fits', async () => {
    const { report, bytes } = await repaired(indexZeroed(fixture(ORIGINAL)), fixture('h264-aac-twin.mp4'))
    expect(report.findings.map(({ code }) => code)).not.toContain('sample.other-settings')
    expect(report.sample?.used).toContain('codec configuration')
    expect(await lostOf(bytes)).toEqual({ missing: 0, mistimed: 0 })
  })

  it('is not suspected of another frame rate because two tracks of sound hold twice as many units', async () => {
    const recording = fixture('h264-two-aac.mov')
    const { report } = await repaired(indexZeroed(fixture('h264-two-aac.mov')), recording)
    expect(report.findings.map(({ code }) => code)).not.toContain('sample.other-settings')
  })
})
