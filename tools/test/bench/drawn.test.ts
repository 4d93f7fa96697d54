import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type CaseResult, runRecording } from '../../src/bench/cases.ts'
import { drawnCases } from '../../src/bench/drawn.ts'
import { drawnDamage } from '../../src/bench/drawn-damage.ts'
import { mendframe } from '../../src/bench/tools.ts'
import { drawnRecipe } from '../../src/media/drawn.ts'

const folder = mkdtempSync(join(tmpdir(), 'drawn-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const told = (range: string): string[] =>
  drawnCases(range, { folder }).map(({ name, damages }) => [name, ...Object.keys(damages)].join(': '))

describe('drawn cases', { timeout: 60_000 }, () => {
  it('are the same for the same numbers, whatever range they are drawn in, and different for others', () => {
    const hundred = told('1-100')
    expect(told('40-42')).toEqual(hundred.slice(39, 42))
    expect(told('7')).toEqual([hundred[6]])
    expect(new Set(hundred).size).toBe(100)
  })

  it('cover all codecs, containers, samples and damages', () => {
    const all = told('1-400').join('\n')
    const codecs =
      'libx264,libx265,mpeg4,mjpeg,libvpx-vp9,libsvtav1,prores_ks,dnxhd,h263,aac,pcm_s24be,libmp3lame,ac3,eac3,alac,libopus,adpcm_ima_qt,amr_nb'
    const damages =
      'cut,zero tail,blocks,noise,flips,removed,inserted,appended,head zeroed,head cut,payload size,index zeroed,index from'
    const rest = 'mp4,mov,3gp,frag_keyframe,faststart,timecode,calm-sample,like-sample,none,jittered,dropped'
    for (const word of [codecs, damages, rest].join(',').split(',')) expect(all).toContain(word)
  })

  it('keep all else when their size and length are given, but where the codec knows few sizes', () => {
    const given = drawnCases('1-100', { folder, seconds: 2, width: 1280, height: 720 })
    const rest = (name: string): string => name.replace(/\d+x\d+/, '')
    for (const [i, { name }] of drawnCases('1-100', { folder }).entries()) {
      expect(rest(given[i].name)).toBe(rest(name))
      expect(given[i].name.includes('1280x720')).toBe(!name.includes('h263'))
    }
    expect(drawnRecipe(1, { seconds: 2 }).shape.seconds).toBe(2)
  })

  it('damage a file where they say so', () => {
    const healthy = Buffer.alloc(100_000, 7)
    for (let number = 1; number <= 100; number++) {
      const { bytes } = drawnDamage(number).apply(healthy, number, Buffer.alloc(0))
      const touchesPayload = /cut|tail|blocks|noise|flips \d|removed|inserted|appended|head/.test(
        drawnDamage(number).about,
      )
      expect(bytes.equals(healthy), drawnDamage(number).about).toBe(!touchesPayload)
    }
  })

  it('are made, damaged and repaired', async () => {
    const [first] = drawnCases('3', { folder })
    if (!first) throw new Error('nothing drawn')
    const results: CaseResult[] = []
    const options = { folder, seed: 1, keep: false, tools: [mendframe] }
    await runRecording(
      first.name,
      first.open,
      first.damages,
      options,
      (found) => results.push(found),
      expect.unreachable,
    )
    expect(results).toMatchObject([{ clip: first.name, results: [{ score: { frames: 1, audio: 1 } }] }])
  })

  it('are asked for by their numbers', () => {
    expect(() => drawnCases('many', { folder })).toThrow('not a range of numbers: many')
  })
})
