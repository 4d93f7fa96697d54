import { describe, expect, it } from 'vitest'
import { withoutZeroed } from '../../../../src/formats/isobmff/mend/zeroed-entries.ts'
import { Findings } from '../../../../src/model/finding.ts'
import { read } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

async function soundOf(sizes: readonly number[]) {
  const { movie } = await read(fixture('h264-aac.mp4'))
  const track = movie?.tracks.find(({ description }) => description.kind === 'audio')
  if (!track) throw new Error('the film has no sound')
  const findings = new Findings(16)
  const tables = { sizes: { constant: 0, count: sizes.length, sizes: Uint32Array.from(sizes) } }
  return { tables: withoutZeroed(track.description, tables, findings), healthy: findings.healthy }
}

const some = (count: number, size: number): number[] => new Array<number>(count).fill(size)

describe('sizes of samples', () => {
  it('that are all zeros from one on are lost, those before are left', async () => {
    const { tables, healthy } = await soundOf([...some(5, 200), ...some(40, 0)])
    expect(healthy).toBe(false)
    expect(tables.sizes).toEqual({ constant: 0, count: 45, sizes: Uint32Array.from(some(5, 200)), cut: true })
  })

  it('that are all zeros are lost', async () => {
    const { tables, healthy } = await soundOf(some(4, 0))
    expect(healthy).toBe(false)
    expect(tables.sizes).toBeUndefined()
  })

  it.each([
    ['a few empty samples at the end', [...some(20, 200), 0, 0]],
    ['empty samples between others', [...some(5, 200), ...some(40, 0), 200]],
  ])('may be those of %s', async (_, sizes) => {
    const { tables, healthy } = await soundOf(sizes)
    expect(healthy).toBe(true)
    expect(tables.sizes?.sizes).toEqual(Uint32Array.from(sizes))
  })
})

describe('composition offsets of sound', () => {
  it.each([
    ['longer than all of it are none', 0x559e3449, false],
    ['of a packet are left', 1024, true],
  ])('that are %s', async (_, offset, kept) => {
    const { movie } = await read(fixture('h264-aac.mp4'))
    const track = movie?.tracks.find(({ description }) => description.kind === 'audio')
    if (!track) throw new Error('the film has no sound')
    const findings = new Findings(16)
    const runs = { length: 1, counts: Uint32Array.of(95), values: Int32Array.of(offset) }
    const tables = { ...track.tables, compositions: { version: 0, runs } }
    expect(withoutZeroed(track.description, tables, findings).compositions !== undefined).toBe(kept)
    expect(findings.healthy).toBe(kept)
  })
})
