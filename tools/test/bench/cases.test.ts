import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BenchOptions, type CaseResult, runRecording } from '../../src/bench/cases.ts'
import { DAMAGES } from '../../src/bench/damages.ts'
import { inChildren, inThisProcess, type Media } from '../../src/bench/media.ts'
import { makeRecording, openRecording } from '../../src/bench/recordings.ts'
import { caseLines, faultLines, summarise, summaryLines } from '../../src/bench/table.ts'
import { inProcess, mendframe, type Tool } from '../../src/bench/tools.ts'
import { clipOf } from '../../src/media/catalogue.ts'
import { makeClip } from '../../src/media/make-clip.ts'

let folder: string
let media: Media
beforeAll(async () => {
  media = await inThisProcess()
  folder = mkdtempSync(join(tmpdir(), 'cases-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A repairer that never makes anything. */
const idle: Tool = {
  name: 'idle',
  repair: async () => ({ status: 1, seconds: 0, peakBytes: 0, stderr: 'a line\nno idea' }),
}

/**
 * Measured in this process, as the command line comes to the same figures: its start costs more than the repair of a small clip.
 */
async function run(
  clip: string,
  damages: readonly string[],
  tool: Tool = inProcess(),
): Promise<CaseResult[]> {
  const shape = {
    folder,
    seconds: 2,
    width: 192,
    height: 108,
    seed: 2,
    sample: 'calm-sample',
    media,
  } as const
  return runOpened(clip, (needsOther) => makeRecording(clip, shape, needsOther), damages, tool)
}

async function runOpened(
  name: string,
  open: Parameters<typeof runRecording>[1],
  damages: readonly string[],
  tool: Tool = inProcess(),
  seed = 2,
): Promise<CaseResult[]> {
  const options: BenchOptions = { folder, seed, keep: false, tools: [tool] }
  const results: CaseResult[] = []
  const unmeasured: string[] = []
  await runRecording(
    name,
    open,
    Object.fromEntries(Object.entries(DAMAGES).filter(([damage]) => damages.includes(damage))),
    options,
    (result) => results.push(result),
    (line) => unmeasured.push(line),
  )
  expect(unmeasured).toEqual([])
  return results
}

describe('bench', () => {
  it('repairs a recording without its index through the command line and gives it full marks', async () => {
    const [result] = await run('h264-adaptive-b-aac', ['index-zero'], mendframe)
    const [found] = result?.results ?? []
    expect(result?.before).toMatchObject({ frames: 0, times: 0, audio: 0 })
    expect(found?.stderr).toBe('')
    expect(found).toMatchObject({ status: 0, score: { frames: 1, times: 1, audio: 1 } })
    expect(readdirSync(folder).filter((name) => name.includes('index-zero'))).toEqual([])
  })

  it('comes to the same figures in one process, and tells what the engine failed at', async () => {
    const shape = { folder, seconds: 2, width: 192, height: 108, seed: 3, sample: 'calm-sample' } as const
    const measured = async (tool: Tool, by: Media) => {
      const open = (needsOther: boolean) =>
        makeRecording('h264-pcm-chunks', { ...shape, media: by }, needsOther)
      const damages = ['healthy', 'several']
      const results = await runOpened('h264-pcm-chunks', open, damages, tool)
      return results.map(({ damage, before, results: [found] }) => {
        const { score, status, identical } = found ?? {}
        return { damage, before, score, status, identical }
      })
    }
    const here = await measured(inProcess(), media)
    expect(here.map(({ damage, status }) => [damage, status])).toEqual([
      ['healthy', 4],
      ['several', 0],
    ])
    expect(here).toEqual(await measured(mendframe, inChildren))
    const failed = await inProcess().repair(folder, undefined, join(folder, 'none.mov'))
    expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('directory') })
  })

  it('hands a healthy recording back byte for byte', async () => {
    const [result] = await run('h264-camera-aac', ['healthy'])
    expect(result?.results[0]).toMatchObject({ status: 4, identical: true })
  })

  it('sees a recording without an index before one that has its own brought back, its sound without lengths too', async () => {
    const [result] = await run('h264-opus', ['together-second'])
    const [found] = result?.results ?? []
    expect(result?.before).toMatchObject({ frames: 0, times: 0, audio: 0 })
    expect(found?.status).toBe(0)
    for (const score of [found?.score.frames, found?.score.times, found?.score.audio])
      expect(score).toBeGreaterThan(0.97)
  })

  it('takes a file at hand, with its own head as the sample, and counts its time code', async () => {
    const path = join(folder, 'my film.mov')
    const shape = { seconds: 4, width: 192, height: 108, seed: 5 }
    await makeClip(clipOf('h264-timecode-aac', 'victim', shape), path)
    const open = () => openRecording(path, folder, 'head', { media, engine: inProcess() })
    const [result] = await runOpened(path, open, ['together', 'cut70'])
    expect(result).toMatchObject({ clip: 'my-film', damage: 'cut70', before: { frames: 0, data: 0 } })
    expect(result?.results[0]?.score).toMatchObject({ frames: 1, times: 1, audio: 1, data: 1 })
  })

  it('keeps mono tracks apart and in time with the pictures around holes in and beside them', async () => {
    const [result] = await run('h264-intra-two-mono', ['several'])
    const [found] = result?.results ?? []
    expect(found?.score).toMatchObject({ frames: 1, times: 1 })
    expect(found?.score.audio).toBeGreaterThan(0.99)
    for (const { kind, oracle, timely } of found?.score.tracks ?? [])
      expect(timely, kind).toBeGreaterThan(0.98 * oracle)
    expect(Math.abs(found?.score.sync ?? 1)).toBeLessThan(0.03)
  })

  it('knows pictures that have no header of their own, and chunks that end before those of lost tracks', async () => {
    const results = await run('mpeg2-four-mono', ['del512', 'index-half'])
    expect(results.map(({ damage }) => damage)).toEqual(['del512', 'index-half'])
    for (const { results: found } of results) expect(found[0]?.score.frames).toBe(1)
  })

  it('mends fragments that were hit, and misses one that is gone', async () => {
    const results = await run('hevc-fragmented-aac', ['frag-moof-flips', 'frag-lost'])
    expect(results.map(({ damage }) => damage)).toEqual(['frag-moof-flips', 'frag-lost'])
    for (const { results: found } of results) {
      expect(found[0]).toMatchObject({ status: 0, score: { frames: 1, times: 1, audio: 1 } })
      expect(Math.abs(found[0]?.score.sync ?? 1)).toBeLessThan(0.03)
    }
  })

  it('calls no repair complete in which flipped bits cost much of a track', async () => {
    const name = 'h264-intra-refresh-aac'
    const shape = {
      folder,
      seconds: 4,
      width: 320,
      height: 180,
      seed: 1,
      sample: 'calm-sample',
      media,
    } as const
    const open = () => makeRecording(name, shape, false)
    const [result] = await runOpened(name, open, ['index-flips'], inProcess(), 1)
    const { status, score } = result?.results[0] ?? {}
    expect(status === 3 || (status === 0 && (score?.audio ?? 0) > 0.9)).toBe(true)
  })

  it('leaves out damages that do not apply, and shows a repairer that fails or makes things worse', async () => {
    const results = await run('h264-silent', ['flips', 'frag-lost'], idle)
    expect(results.map(({ damage }) => damage)).toEqual(['flips'])
    const [summary] = summarise(results)
    expect(summary).toMatchObject({
      tool: 'idle',
      cases: 1,
      mean: { frames: 0 },
      worsened: ['h264-silent flips'],
    })
    expect(results.map(caseLines).join()).toContain('| idle | 0.0 | 0.0 | 100 | 100 |')
    expect(faultLines(results)).toBe('h264-silent flips: idle: no idea')
    expect(summaryLines(summarise(results))).toContain('h264-silent flips')
  })
})
