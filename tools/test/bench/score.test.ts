import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StreamHashes } from '@mendframe/renderer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Media } from '../../src/bench/media.ts'
import { makeOracle, type Original, placesWithPackets, readOriginal, score } from '../../src/bench/score.ts'
import { latePictures, timely } from '../../src/bench/times.ts'
import { clipOf } from '../../src/media/catalogue.ts'
import { makeClip } from '../../src/media/make-clip.ts'

const SHAPE = { seconds: 2, width: 192, height: 108, seed: 1 }

let folder: string
let aac: Original
let pcm: Original
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'score-'))
  aac = await original('h264-camera-aac')
  pcm = await original('h264-pcm-chunks')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function original(name: string): Promise<Original> {
  const path = join(folder, name)
  await makeClip(clipOf(name, 'victim', SHAPE), path)
  return readOriginal(path)
}

/** The original with some bytes of its index changed. */
function altered(source: Original, name: string, change: (bytes: Buffer) => void): string {
  const bytes = readFileSync(source.path)
  change(bytes)
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

/** Speeds up the pictures' clock: the time scale of the first `mdhd` (ISO/IEC 14496-12:2022 §8.4.2, version 0). */
function hastyPictures(bytes: Buffer): void {
  const at = bytes.indexOf('mdhd') + 4 + 4 + 8
  bytes.writeUInt32BE(Math.round(bytes.readUInt32BE(at) * 1.25), at)
}

/** A stream with packets at some times, undefined where they tell none, and pictures that are shown at others. */
function streamAt(times: readonly (number | undefined)[], shown = [0, 1, 2, 3]): StreamHashes {
  return {
    ...{ index: 0, kind: 'video', codec: 'av1' },
    packets: times.map((pts) => ({ pts, dts: pts, duration: 1, position: 0, size: 3, key: false, md5: '' })),
    frames: shown.map((pts) => ({ pts, md5: '', failed: false })),
  }
}

/** Hides the second track from readers: its `trak` becomes free space. */
function hideSecondTrack(bytes: Buffer): void {
  bytes.write('free', bytes.indexOf('trak', bytes.indexOf('trak') + 4), 'latin1')
}

describe('score', () => {
  it('gives the original itself full marks', async () => {
    for (const source of [aac, pcm]) {
      const result = await score(source, await makeOracle(source, []), source.path)
      expect(result).toMatchObject({ frames: 1, times: 1, audio: 1, structure: 1 })
      expect(Math.abs(result.sync ?? 1)).toBeLessThan(0.001)
    }
  })

  it('gives pictures that a decoder hands out without times behind the last packet those at the last step', async () => {
    const oracle = await makeOracle(aac, [])
    const without = (last: number): Original => ({
      ...aac,
      streams: aac.streams.map((stream) => ({
        ...stream,
        frames: stream.frames.map((frame, i) => ({
          ...frame,
          pts: i < stream.frames.length - last ? frame.pts : undefined,
        })),
      })),
    })
    for (const last of [1, 3]) {
      expect(await score(without(last), oracle, aac.path)).toMatchObject({ frames: 1, times: 1 })
      const slow = altered(aac, 'slow.mov', hastyPictures)
      expect((await score(without(last), oracle, slow)).times).toBeLessThan(0.2)
    }
    // a single time tells no step
    const [pictures] = aac.streams
    expect((await score(without((pictures?.frames.length ?? 0) - 1), oracle, aac.path)).times).toBeLessThan(
      0.1,
    )
  })

  it('takes a cover for no film, but for something beside it', async () => {
    const cover: StreamHashes = {
      ...streamAt([undefined]),
      frames: [{ pts: undefined, md5: 'cover', failed: false }],
    }
    const beside = (streams: readonly StreamHashes[]): StreamHashes[] => [
      cover,
      ...streams.map((stream) => ({ ...stream, index: stream.index + 1 })),
    ]
    const sought: number[] = []
    const media: Media = {
      ...aac.media,
      hashes: async (path, options) => beside(await aac.media.hashes(path, options)),
      seek: (path, stream, times) => {
        sought.push(stream)
        return aac.media.seek(path, stream - 1, times)
      },
    }
    const covered = { ...aac, media, streams: beside(aac.streams) }
    const result = await score(covered, await makeOracle(covered, []), aac.path)
    expect(result).toMatchObject({ frames: 1, times: 1, audio: 1, data: 1, structure: 1, sync: 0 })
    expect(result.tracks.map(({ kind }) => kind)).toEqual(['video', 'audio', 'data'])
    expect(sought).toEqual([1])
  })

  it('gives no file and a file that does not open nothing', async () => {
    const oracle = await makeOracle(aac, [])
    expect(await score(aac, oracle, undefined)).toMatchObject({ frames: 0, times: 0, audio: 0 })
    const text = join(folder, 'text')
    writeFileSync(text, 'no film')
    expect(await score(aac, oracle, text)).toMatchObject({ frames: 0, times: 0, audio: 0 })
  })

  it('asks only for what survives a damage, and finds less than that in a file that lacks more', async () => {
    const middle = Math.floor(readFileSync(aac.path).length * 0.75)
    const lost = [{ start: middle, end: middle + 2_000 }]
    const oracle = await makeOracle(aac, lost)
    const [wanted] = oracle.frames.values()
    expect(wanted?.size).toBeGreaterThan(20)
    expect(wanted?.size).toBeLessThan(60)
    const holed = altered(aac, 'holed.mov', (bytes) => bytes.fill(0, middle, middle + 2_000))
    expect((await score(aac, oracle, holed)).frames).toBe(1)
    const more = altered(aac, 'more.mov', (bytes) => bytes.fill(0, middle - 20_000, middle + 2_000))
    expect((await score(aac, oracle, more)).frames).toBeLessThan(1)
  })

  it('asks for no picture whose own packet is lost, which another one may show at its own time', () => {
    expect([...placesWithPackets(streamAt([0, 1, 2, 3]), streamAt([0, 2]))]).toEqual([0, 2])
    expect([...placesWithPackets(streamAt([0, 1, 2, 3]), undefined)]).toEqual([])
    // where packets have no time stamps, as in AVI, nothing tells
    const untold = streamAt([undefined, undefined])
    expect([...placesWithPackets(untold, streamAt([undefined]))]).toEqual([0, 1, 2, 3])
  })

  it('knows which pictures a player shows late although they are whole, where packets do not tell when', () => {
    const pairs = [
      { left: 0, right: 0 },
      { left: 1, right: 1 },
      { left: 3, right: 2 },
    ]
    const left = streamAt([0, undefined], [0, 2, 3])
    expect([...latePictures(streamAt([0, undefined]), left, pairs)]).toEqual([
      [0, 0],
      [1, 1],
      [3, 0],
    ])
    expect([...latePictures(streamAt([0, 1]), left, pairs).values()]).toEqual([0, 0, 0])
  })

  it('counts the times that agree with one offset, give or take the tolerance and what excuses a picture', () => {
    expect(timely([5, 5.1, 4.9, 5.5, Number.NaN], 0.2)).toEqual({ timely: 3, offset: 5 })
    expect(timely([5, 5.1, 4.9, 5.5], 0.2, [0, 0, 0, 0.4]).timely).toBe(4)
    // neither earlier than it was, nor later than that
    expect(timely([5, 5.1, 4.9, 4.5], 0.2, [0, 0, 0, 0.4]).timely).toBe(3)
    expect(timely([5, 5.1, 4.9, 5.9], 0.2, [0, 0, 0, 0.4]).timely).toBe(3)
  })

  it('sees pictures at wrong times although they decode alike', async () => {
    const oracle = await makeOracle(aac, [])
    const hasty = await score(aac, oracle, altered(aac, 'hasty.mov', hastyPictures))
    expect(hasty.frames).toBe(1)
    expect(hasty.times).toBeLessThan(0.2)
    expect(hasty.audio).toBe(1)
  })

  it('tells which of two tracks of a codec is missing', async () => {
    const twin = await original('h264-two-aac')
    const single = altered(twin, 'single.mp4', hideSecondTrack)
    const result = await score(twin, await makeOracle(twin, []), single)
    const [, first, second] = result.tracks
    expect(result.audio).toBe(0.5)
    expect(first?.exact).toBe(0)
    expect(second?.exact).toBe(second?.oracle)
  })

  it('compares plain sound by blocks of its samples', async () => {
    const [, audio] = pcm.streams
    const packet = audio?.packets[40]
    const start = packet?.position ?? 0
    const lost = [{ start, end: start + 1_000 }]
    const oracle = await makeOracle(pcm, lost)
    const holed = altered(pcm, 'holed-pcm.mov', (bytes) => bytes.fill(0x55, start, start + 1_000))
    const whole = await makeOracle(pcm, [])
    expect((await score(pcm, oracle, holed)).audio).toBe(1)
    const strict = await score(pcm, whole, holed)
    expect(strict.audio).toBeLessThan(1)
    expect(strict.audio).toBeGreaterThan(0.99)
  })
})
