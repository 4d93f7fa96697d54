import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { FORMATS, type Verification } from '@mendframe/engine'
import { fixturesOf } from '@mendframe/engine/testing'
import { expect, test } from 'vitest'
import { runRepair } from '../src/index.ts'
import { Folder } from './folder.ts'

/** Milliseconds that a check takes, more than the engine takes to start. */
const WAIT = 1500

const SILENT: Verification = {
  decodable: true,
  duration: 1,
  tracks: [{ kind: 'video', codec: 'h264', packets: 45, frames: 45, errors: 0 }],
}

function fixture(of: string): Buffer {
  const [isobmff] = FORMATS.filter(({ name }) => name === 'isobmff')
  const found = isobmff && fixturesOf(isobmff).find(({ name }) => name === of)
  if (!found) throw new Error('the fixture is missing')
  return Buffer.from(found.bytes)
}

/** A recording with noise where some of its pictures begin. */
function withNoise(of = 'h264-silent'): Buffer {
  const bytes = fixture(of)
  const half = bytes.length >> 1
  for (let at = half; at < half + 6_000; at++) bytes[at] = (at * 151) & 0xff
  return bytes
}

test('what only our recognisers object to is settled by the check of the damaged file itself', async () => {
  // as of a codec whose pictures are not read to their last bits, which would show the noise for what it is
  const unread = { ...SILENT, tracks: SILENT.tracks.map((track) => ({ ...track, codec: 'vc1' })) }
  const noisy = withNoise('3gp-mpeg4-amr')
  using folder = new Folder()
  writeFileSync(folder.file('a.3gp'), noisy)
  const checked: string[] = []
  const report = await runRepair({
    damaged: folder.file('a.3gp'),
    output: folder.file('out.3gp'),
    verify: async (path) => {
      checked.push(path)
      return unread
    },
  })
  expect(report.verdict).toBe('healthy')
  expect(checked[0]).toBe(folder.file('a.3gp'))
  expect(checked).toHaveLength(2)
  expect(readFileSync(folder.file('out.3gp')).equals(noisy)).toBe(true)
  expect(folder.names()).toEqual(['a.3gp', 'out.3gp'])
})

test('the time that the engine waits for the check is not its own', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('a.3gp'), withNoise('3gp-mpeg4-amr'))
  const begun = performance.now()
  let waited = 0
  const report = await runRepair({
    damaged: folder.file('a.3gp'),
    output: folder.file('out.3gp'),
    verify: async (path) => {
      if (path !== folder.file('a.3gp')) return SILENT
      waited += WAIT
      await setTimeout(WAIT)
      return SILENT
    },
  })
  expect(waited).toBe(WAIT)
  expect(report.seconds * 1000).toBeLessThan(performance.now() - begun - WAIT)
})

test('a check that fails while the engine works ends the run, and nothing is left', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('a.m4v'), withNoise())
  const verify = async (): Promise<Verification> => {
    throw new Error('no room for the decoder')
  }
  const run = runRepair({ damaged: folder.file('a.m4v'), output: folder.file('out.m4v'), verify })
  await expect(run).rejects.toThrow('no room for the decoder')
  expect(folder.names()).toEqual(['a.m4v'])
})

test('the output appears only when the report was taken', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('a.m4v'), fixture('h264-silent'))
  const run = runRepair({
    damaged: folder.file('a.m4v'),
    output: folder.file('out.m4v'),
    onReport: async () => {
      await setTimeout(5)
      throw new Error('nobody takes it')
    },
  })
  await expect(run).rejects.toThrow('nobody takes it')
  expect(folder.names()).toEqual(['a.m4v'])
})
