import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  clockRestarted,
  headerFlipped,
  neverFinished,
  RECIPES,
  tagsOf,
  trailersZeroed,
} from '../../../src/formats/flv/recipes.ts'
import type { RepairOptions } from '../../../src/formats/format.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'

const FILES = ['flv-h264-aac', 'flv-h263-mp3', 'flv-hevc-aac'] as const

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(`${FIXTURES}/flv/${name}.flv`))
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

const repaired = (damaged: Uint8Array, sample?: Uint8Array, options?: Partial<RepairOptions>) =>
  repairRecording(damaged, 'flv', sample, options)

/** Milliseconds. */
function timeAt(bytes: Uint8Array, tag: number): number {
  const [high, middle, low, highest] = bytes.subarray(tag + 4, tag + 8)
  return ((highest << 24) | (high << 16) | (middle << 8) | low) >>> 0
}

/** Tags of sound and pictures as `type time data`, without configurations. */
function unitsOf(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return tagsOf(bytes)
    .filter((at) => bytes[at] !== 18)
    .map((at) => {
      const size = view.getUint32(at) & 0xffffff
      return `${bytes[at]} ${view.getUint32(at + 4)} ${digest(bytes.subarray(at + 11, at + 11 + size))}`
    })
}

describe.each(FILES)('a damaged Flash video, %s', (name) => {
  const whole = fixture(name)
  const sample = fixture(`${name}.sample`)

  it.each(RECIPES.filter(({ name }) => name !== 'bits flipped'))(
    '$name: what comes out is healthy',
    async (recipe) => {
      const { report, bytes } = await repaired(recipe.apply(whole, 5), sample)
      expect(['repaired', 'partial']).toContain(report.verdict)
      const again = await repaired(bytes)
      expect(again.report.findings.filter(({ severity }) => severity !== 'info')).toEqual([])
      expect(again.report.verdict).toBe('healthy')
      const known = new Set(unitsOf(whole))
      const kept = unitsOf(bytes)
      expect(kept.length).toBeGreaterThan(10)
      // what comes out was there, at its time: but for units hit in their data, which stay
      expect(kept.filter((unit) => !known.has(unit)).length).toBeLessThanOrEqual(6)
    },
  )

  it('script data that is zeroed is written anew, and no tag is left that holds none', async () => {
    const [script = 0] = tagsOf(whole).filter((at) => whole[at] === 18)
    const size = new DataView(whole.buffer, whole.byteOffset).getUint32(script) & 0xffffff
    const { report, bytes } = await repaired(new Uint8Array(whole).fill(0, script + 11, script + 11 + size))
    expect(report.findings.map(({ code }) => code)).toContain('flv.script-broken')
    expect(report.verdict).toBe('repaired')
    expect(unitsOf(bytes)).toEqual(unitsOf(whole))
    expect(tagsOf(bytes).filter((at) => bytes[at] === 18)).toHaveLength(1)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })

  it.each([
    ['type', 0, 6],
    ['size', 3, 2],
    ['stream number', 9, 3],
  ])('a flipped bit in the %s of a tag costs nothing', async (_, byte, bit) => {
    const { report, bytes } = await repaired(headerFlipped(whole, 0.5, byte, bit))
    expect(report.verdict).toBe('repaired')
    expect(unitsOf(bytes)).toEqual(unitsOf(whole))
  })

  it.each([
    ['high', 4, 3],
    ['low', 5, 3],
  ])('a flipped %s bit in a time is put right within two milliseconds', async (_, byte, bit) => {
    const { bytes } = await repaired(headerFlipped(whole, 0.5, byte, bit))
    const times = (units: string[]): number[] => units.map((unit) => Number(unit.split(' ')[1]) / 256)
    const before = times(unitsOf(whole))
    times(unitsOf(bytes)).forEach((time, i) => {
      expect(Math.abs(time - before[i])).toBeLessThanOrEqual(2)
    })
  })

  it('sizes behind tags are written anew and everything else stays', async () => {
    const { report, bytes } = await repaired(trailersZeroed(whole))
    expect(report.verdict).toBe('repaired')
    expect(unitsOf(bytes)).toEqual(unitsOf(whole))
  })

  it('a recording that was never finished states its length and where its key pictures are', async () => {
    const { report, bytes } = await repaired(neverFinished(whole))
    expect(report.verdict).toBe('repaired')
    expect(unitsOf(bytes)).toEqual(unitsOf(whole))
    const text = String.fromCharCode(...bytes.subarray(0, 2048))
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    expect(view.getFloat64(text.indexOf('duration') + 9)).toBeCloseTo(1.5, 0)
    expect(view.getFloat64(text.indexOf('filesize') + 9)).toBe(bytes.length)
    const position = view.getFloat64(text.indexOf('filepositions') + 13 + 5 + 1)
    expect(tagsOf(bytes)).toContain(position)
  })

  it('an index that leads to a picture that is no key is wrong, and written anew', async () => {
    const { bytes } = await repaired(neverFinished(whole))
    const position = String.fromCharCode(...bytes.subarray(0, 2048)).indexOf('filepositions') + 13 + 5 + 1
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    const right = view.getFloat64(position)
    const behind = tagsOf(bytes).find((at) => at > right && bytes[at] === 9) ?? 0
    const led = new Uint8Array(bytes)
    new DataView(led.buffer).setFloat64(position, behind)
    const { report, bytes: mended } = await repaired(led)
    expect(report.verdict).toBe('repaired')
    expect(report.findings.map(({ code }) => code)).toEqual(['flv.index-wrong'])
    expect(new DataView(mended.buffer).getFloat64(position)).toBe(right)
  })

  it('a head that is gone comes from the sample', async () => {
    const { report, bytes } = await repaired(whole.slice(6_000), sample)
    expect(report.verdict).toBe('repaired')
    const known = new Set(unitsOf(whole))
    expect(unitsOf(bytes).filter((unit) => !known.has(unit)).length).toBeLessThanOrEqual(2)
  })
})

describe('a Flash video', () => {
  it('whose head is gone needs no sample where its units tell how they are coded', async () => {
    const whole = fixture('flv-h263-mp3')
    const { report } = await repaired(whole.slice(6_000))
    expect(report.verdict).toBe('repaired')
    expect(report.tracks).toHaveLength(2)
  })

  it('of a writer that puts no sizes behind tags goes on behind a hole', async () => {
    const whole = fixture('flv-h264-aac')
    const damaged = trailersZeroed(whole)
    const tags = tagsOf(whole)
    const middle = tags[tags.length >> 1]
    damaged.fill(0, middle, middle + 3_000)
    const { bytes } = await repaired(damaged)
    // what the hole took, and the tag in front of it, whose end nothing shows
    const hit = tags.filter((at, i) => at < middle + 3_000 && (tags[i + 1] ?? whole.length) > middle)
    expect(unitsOf(bytes).length).toBeGreaterThanOrEqual(unitsOf(whole).length - hit.length - 1)
  })

  it('whose clock begins anew goes on', async () => {
    const whole = fixture('flv-h264-aac')
    const long = new Uint8Array(whole)
    // times ten times as long: a clock that goes back by less than some seconds may be interleaving
    for (const at of tagsOf(long)) {
      const time = ((long[at + 4] << 16) | (long[at + 5] << 8) | long[at + 6]) * 10
      long.set([time >> 16, (time >> 8) & 255, time & 255], at + 4)
    }
    const { report, bytes } = await repaired(clockRestarted(long, 0.6))
    expect(report.findings.map(({ code }) => code)).toContain('flv.clock-restart')
    const times = unitsOf(bytes).map((unit) => Number(unit.split(' ')[1]) >>> 8)
    times.slice(3).forEach((time, i) => {
      expect(time).toBeGreaterThan((times[i + 2] ?? 0) - 2_000)
    })
  })

  it.each([
    [2 ** 24, 0xff_ffff],
    [2 ** 31, 0xffff_ffff],
    [2 ** 32, 0xffff_ffff],
  ])('keeps its times where its clock passes %i in numbers up to %i', async (span, most) => {
    const whole = fixture('flv-h264-aac')
    const late = new Uint8Array(whole)
    const times = (bytes: Uint8Array): number[] =>
      tagsOf(bytes)
        .filter((at) => bytes[at] !== 18 && bytes[at + 12] !== 0)
        .map((at) => timeAt(bytes, at))
    for (const at of tagsOf(late).filter((tag) => late[tag] !== 18 && late[tag + 12] !== 0)) {
      const time = (timeAt(whole, at) + span - 800) % (most + 1)
      late.set([(time >> 16) & 255, (time >> 8) & 255, time & 255, time >>> 24], at + 4)
    }
    const { report, bytes } = await repaired(late)
    const result = report.verdict === 'healthy' ? late : bytes
    const [first] = times(result)
    expect(times(result).map((time) => time - first)).toEqual(times(whole))
    expect((await repaired(result)).report.verdict).toBe('healthy')
  })

  it('of encrypted tags is refused in a sentence', async () => {
    const whole = new Uint8Array(fixture('flv-h264-aac'))
    for (const at of tagsOf(whole)) whole[at] |= 0x20
    const { report, bytes } = await repaired(whole)
    expect(report.verdict).toBe('unrepairable')
    expect(report.reason).toMatch(/encrypted/)
    expect(bytes).toHaveLength(0)
  })
})

/** Where the data of the first tag of a kind begin, its configuration, and their bytes. */
function configurationOf(bytes: Uint8Array, kind: number): Uint8Array {
  const at = tagsOf(bytes).find((tag) => bytes[tag] === kind) ?? -1
  const size = (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]
  return bytes.subarray(at + 11, at + 11 + size)
}

describe('a flipped bit in a configuration', () => {
  // in sets whose records can be read nevertheless
  const places = [
    ['flv-h264-aac', 18],
    ['flv-hevc-aac', 74],
  ] as const
  const kind = 9

  it.each(places)('%s: is turned back where one bit alone lets key pictures read', async (name, byte) => {
    const whole = fixture(name)
    const hit = whole.slice()
    configurationOf(hit, kind)[byte] ^= 8
    const { report, bytes } = await repaired(hit)
    expect(report.verdict).toBe('repaired')
    expect(report.findings.map(({ code }) => code)).toContain('flv.configuration-damaged')
    expect(configurationOf(bytes, kind)).toEqual(configurationOf(whole, kind))
    expect(unitsOf(bytes)).toEqual(unitsOf(whole))
  })

  it('is a doubt where two flipped, and none with a sample', async () => {
    const whole = fixture('flv-hevc-aac')
    const hit = whole.slice(0, -40)
    // two bits of the width
    configurationOf(hit, kind)[81] ^= 6
    const alone = await repaired(hit)
    expect(alone.report.doubts?.map(({ code }) => code)).toEqual(['hits'])
    const { report, bytes } = await repaired(hit, fixture('flv-hevc-aac.sample'))
    expect(report.verdict).toBe('repaired')
    expect(configurationOf(bytes, kind)).toEqual(configurationOf(whole, kind))
  })

  it('of AAC comes from the sample, or from how frames read and how long they last', async () => {
    const whole = fixture('flv-h264-aac')
    const hit = whole.slice()
    configurationOf(hit, 8)[2] ^= 1
    for (const sample of [undefined, fixture('flv-h264-aac.sample')]) {
      const { report, bytes } = await repaired(hit, sample)
      expect(report.verdict).toBe('repaired')
      expect(configurationOf(bytes, 8).subarray(0, 4)).toEqual(configurationOf(whole, 8).subarray(0, 4))
    }
  })

  it('of AAC is that of the frames though a live encoder shows them by an unsteady clock', async () => {
    const live = fixture('flv-h264-aac')
    const sounds = tagsOf(live).filter((at) => live[at] === 8 && live[at + 12] !== 0)
    const early = [0, -3, -6]
    for (const [place, at] of sounds.entries()) {
      const time = Math.max(0, timeAt(live, at) + (early[place % 3] ?? 0))
      live.set([(time >> 16) & 255, (time >> 8) & 255, time & 255], at + 4)
    }
    const { report } = await repaired(live)
    expect(report.findings.map(({ code }) => code)).not.toContain('flv.configuration-damaged')
  })
})

describe('samples stored as they are', () => {
  const data = 1 + 1_764
  const tag = (number: number): number[] => [
    ...[8, data >> 16, (data >> 8) & 255, data & 255],
    ...[(number * 10) >> 8, (number * 10) & 255, 0, 0, 0, 0, 0, 0x3f],
    ...Array.from({ length: data - 1 }, (_, i) => (i * 31 + number * 7) & 255),
    ...[0, 0, (data + 11) >> 8, (data + 11) & 255],
  ]
  const tags = Array.from({ length: 80 }, (_, number) => tag(number)).flat()
  const whole = Uint8Array.from([0x46, 0x4c, 0x56, 1, 4, 0, 0, 0, 9, 0, 0, 0, 0, ...tags])
  const length = data + 15

  it('survive up to where the file is cut off', async () => {
    const { bytes } = await repaired(whole.slice(0, whole.length - 503))
    const last = tagsOf(bytes).at(-1) ?? 0
    const kept = bytes.subarray(last + 12, bytes.length - 4)
    expect(kept.length).toBe(1_764 - 500)
    expect(kept).toEqual(whole.subarray(whole.length - 4 - 1_764, whole.length - 4 - 500))
  })

  it.each([
    [1, 'repaired'],
    [4, 'partial'],
  ])('behind %i overwritten heads are left out, and more than a few are a doubt', async (count, verdict) => {
    const bytes = whole.slice()
    for (let i = 0; i < count; i++)
      bytes.fill(0xa7, 13 + (10 + i * 15) * length, 13 + (10 + i * 15) * length + 60)
    const { report } = await repaired(bytes)
    expect(report.verdict).toBe(verdict)
  })
})

describe('pictures of Sorenson H.263', () => {
  const whole = fixture('flv-h263-mp3')
  const pictures = tagsOf(whole).filter((at) => whole[at] === 9)

  it('are damaged where their macroblocks do not read to the last byte', async () => {
    const damaged = new Uint8Array(whole)
    for (const at of [pictures[5], pictures[20]]) damaged[at + 40] ^= 0xff
    const { report } = await repaired(damaged)
    expect(report.findings.map(({ code }) => code)).toEqual(['flv.media-damaged'])
    const [video] = report.tracks.filter(({ kind }) => kind === 'video')
    expect([video.recovered, video.damaged]).toEqual([pictures.length - 2, 2])
    // where two were hit apart from each other, more may be that read all the same
    expect(report.doubts).toEqual([DOUBT.tornPictures])
  })

  it('that are damaged are left out where that is asked for', async () => {
    const damaged = new Uint8Array(whole)
    damaged[pictures[5] + 40] ^= 0xff
    const kept = await repaired(damaged)
    const { report, bytes } = await repaired(damaged, undefined, { damagedFrames: 'drop' })
    expect([kept.report.verdict, report.verdict]).toEqual(['repaired', 'repaired'])
    const healthy = new Set(unitsOf(whole))
    expect(unitsOf(bytes)).toEqual(unitsOf(kept.bytes).filter((unit) => healthy.has(unit)))
    expect(unitsOf(kept.bytes).length - unitsOf(bytes).length).toBe(1)
    const [video] = report.tracks.filter(({ kind }) => kind === 'video')
    expect([video.recovered, video.damaged, video.lost]).toEqual([pictures.length - 1, 0, 1])
  })
})

describe('sound of MPEG Layer III', () => {
  const whole = fixture('flv-h263-mp3')
  const sounds = tagsOf(whole).filter((at) => whole[at] === 8)

  it('behind a loss is damaged as far as its main data began in what is lost', async () => {
    const hit = Math.floor(sounds.length / 2)
    const damaged = new Uint8Array(whole)
    damaged.fill(0, sounds[hit], sounds[hit] + 40)
    // main_data_begin of the frame behind: the first nine bits of its side information
    const next = sounds[hit + 1] + 12 + 4
    expect((whole[next] << 1) | (whole[next + 1] >> 7)).toBeGreaterThan(0)
    const { report } = await repaired(damaged)
    const [sound] = report.tracks.filter(({ kind }) => kind === 'audio')
    expect(sound.lost).toBe(1)
    expect(sound.damaged).toBeGreaterThan(0)
    expect(sound.recovered + sound.damaged).toBe(sounds.length - 1)
    expect(sound.ranges.find(({ state }) => state === 'damaged')?.offset).toBe(sounds[hit + 1])
  })

  it('is whole where only pictures are lost', async () => {
    const pictures = tagsOf(whole).filter((at) => whole[at] === 9)
    const damaged = new Uint8Array(whole)
    damaged.fill(0, pictures[20], pictures[20] + 40)
    const { report } = await repaired(damaged)
    const [sound] = report.tracks.filter(({ kind }) => kind === 'audio')
    expect([sound.recovered, sound.damaged, sound.lost]).toEqual([sounds.length, 0, 0])
  })
})
