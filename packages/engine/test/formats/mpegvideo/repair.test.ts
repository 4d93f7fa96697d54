import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { joined } from '../../../src/bytes/joined.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { diagnose, repair } from '../../../src/engine.ts'
import type { DamagedFrames } from '../../../src/formats/format.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import type { RecordingReport, Report } from '../../../src/model/report.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'

const MPEG1 = fixture('mpg-bare-mpeg1.mpg')
const MPEG2 = fixture('mpg-bare-mpeg2.mpg')
const PICTURE = 0
const SEQUENCE = 0xb3
const GROUP = 0xb8

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(`${FIXTURES}/mpegvideo/${name}`))
}

/** Where start codes of a value stand. */
function codes(bytes: Uint8Array, value: number): number[] {
  const found: number[] = []
  for (let at = 0; at + 3 < bytes.length; at++)
    if (bytes[at] === 0 && bytes[at + 1] === 0 && bytes[at + 2] === 1 && bytes[at + 3] === value)
      found.push(at)
  return found
}

/** Types and numbers of pictures in the order of coding. */
function picturesOf(bytes: Uint8Array): string[] {
  return codes(bytes, PICTURE).map(
    (at) => ` IPB`[(bytes[at + 5] >> 3) & 7] + ((bytes[at + 4] << 2) | (bytes[at + 5] >> 6)),
  )
}

function without(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return joined([bytes.subarray(0, from), bytes.subarray(to)])
}

function zeroed(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return new Uint8Array(bytes).fill(0, from, to)
}

async function mend(
  bytes: Uint8Array,
  sample?: Uint8Array,
  damagedFrames: DamagedFrames = 'auto',
): Promise<{ report: RecordingReport; result: Uint8Array }> {
  const sink = new MemorySink()
  const file = (content: Uint8Array) => ({ source: new MemorySource(content), name: 'video.mpg' })
  const report: Report = await repair({
    damaged: file(bytes),
    ...(sample ? { sample: file(sample) } : {}),
    options: { damagedFrames },
    sink,
  })
  if (report.kind !== 'recording') throw new Error('pictures alone are a recording')
  return { report, result: sink.bytes() }
}

/** What a result is called when it comes again. */
async function isHealthy(result: Uint8Array): Promise<boolean> {
  return (await diagnose({ file: { source: new MemorySource(result), name: 'again.mpg' } })).healthy
}

describe.each([
  ['MPEG-1', MPEG1],
  ['MPEG-2', MPEG2],
] as const)('bare pictures of %s', (_, whole) => {
  const pictures = codes(whole, PICTURE)

  it('are known by their content, whatever they are called, and keep their name', async () => {
    const { report } = await mend(whole)
    expect(report.format).toBe('mpegvideo')
    expect(report.verdict).toBe('healthy')
    expect(report.extension).toBe('mpg')
  })

  it('are known with one start code in ten hit, by the header that they begin with', async () => {
    const bytes = new Uint8Array(whole)
    const slices = Array.from({ length: 0xaf }, (_, row) => codes(whole, row + 1)).flat()
    for (const at of slices.sort((a, b) => a - b).filter((_, i) => i % 10 === 9)) bytes[at + 3] |= 0xc0
    const { report } = await mend(bytes)
    expect(report.format).toBe('mpegvideo')
    expect(report.verdict).not.toBe('unrepairable')
  })

  it('have no slice of a row that is coded already: it is of a picture whose header is gone', async () => {
    const slices = Array.from({ length: 0xaf }, (_, row) => codes(whole, row + 1)).flat()
    const last = Math.max(...slices.filter((at) => at < pictures[5]))
    const starts = [...slices, ...[PICTURE, SEQUENCE, GROUP].flatMap((code) => codes(whole, code))]
    const end = Math.min(...starts.filter((at) => at > last))
    const twice = joined([whole.subarray(0, end), whole.subarray(last)])
    const { report, result } = await mend(twice)
    expect(report.findings.map(({ code }) => code)).toContain('mpegvideo.foreign-bytes')
    expect(Buffer.compare(result, whole)).toBe(0)
  })

  it('are not called whole where slices behind the last one are of another whose header is gone', async () => {
    const [last] = pictures.slice(-1)
    const { report, result } = await mend(zeroed(whole, last, last + 6))
    expect(codes(result, PICTURE)).toHaveLength(pictures.length - 1)
    expect(report.doubts).toEqual([DOUBT.unexplained])
  })

  it('get a picture that repeats another in the place of each lost one', async () => {
    const at = 7
    const { report, result } = await mend(zeroed(whole, pictures[at] - 40, pictures[at + 1] - 40))
    expect(picturesOf(result)).toEqual(picturesOf(whole))
    expect(report.tracks[0]).toMatchObject({ lost: 1, recovered: pictures.length - 2, damaged: 1 })
    expect(report.verdict).toBe('repaired')
    expect(await isHealthy(result)).toBe(true)
  })

  it('are counted by time codes where the header of a group is lost', async () => {
    const [, , group] = codes(whole, GROUP)
    const behind = pictures.findIndex((at) => at > group)
    const { report, result } = await mend(zeroed(whole, pictures[behind - 2] + 30, pictures[behind + 1] + 30))
    expect(codes(result, PICTURE).length).toBe(pictures.length)
    expect(report.tracks[0].lost).toBeGreaterThanOrEqual(3)
    expect(report.tracks[0].lost + report.tracks[0].damaged).toBe(4)
    expect(await isHealthy(result)).toBe(true)
  })

  it('keep what is whole of a torn picture, and are healthy afterwards', async () => {
    const from = Math.floor((pictures[12] + pictures[13]) / 2)
    const { report, result } = await mend(without(whole, from, from + 40))
    expect(report.verdict).toBe('repaired')
    expect(report.tracks[0]).toMatchObject({ damaged: 1, lost: 0 })
    expect(await isHealthy(result)).toBe(true)
  })

  it('show the picture before once more in the place of a torn one where damaged ones are to be left out', async () => {
    const from = Math.floor((pictures[12] + pictures[13]) / 2)
    const { report, result } = await mend(without(whole, from, from + 40), undefined, 'drop')
    expect(report.tracks[0]).toMatchObject({ recovered: pictures.length - 1, damaged: 0, lost: 1 })
    expect(codes(result, PICTURE)).toHaveLength(pictures.length)
    const kept = [...pictures.keys()].filter((i) => i !== 12)
    const bytesOf = (bytes: Uint8Array, i: number): Buffer => {
      const starts = codes(bytes, PICTURE)
      return Buffer.from(bytes.subarray(starts[i], starts[i + 1]))
    }
    expect(kept.filter((i) => !bytesOf(result, i).equals(bytesOf(whole, i)))).toEqual([])
    expect(bytesOf(result, 12).length).toBeLessThan(bytesOf(whole, 12).length)
    expect(await isHealthy(result)).toBe(true)
  })

  it('get their first header back from farther behind', async () => {
    const { report, result } = await mend(whole.subarray(pictures[1]))
    const [first] = codes(whole, SEQUENCE)
    expect(result.subarray(0, 12)).toEqual(whole.subarray(first, first + 12))
    expect(report.verdict).toBe('repaired')
  })

  it('take the header of a sample where no other is left', async () => {
    const [, second] = codes(whole, SEQUENCE)
    const headless = whole.subarray(pictures[0], second)
    const { report, result } = await mend(headless, whole)
    expect(report.sample?.used).toEqual(['sequence header'])
    expect(report.verdict).toBe('repaired')
    expect(codes(result, SEQUENCE).length).toBe(1)
  })

  it('are not called repaired where the key picture is gone with the header, and there is no other', async () => {
    const [, second] = codes(whole, SEQUENCE)
    const { report } = await mend(whole.subarray(pictures[1], second), whole)
    expect(report.verdict).toBe('partial')
    expect(report.doubts).toEqual([DOUBT.missing])
  })

  it.each([
    ['the prefix of a picture', (): number => pictures[5], 0, 0x80],
    ['the value of a picture', (): number => pictures[6], 3, 0x10],
    ['the prefix of a picture behind a group', (): number => codes(whole, GROUP)[1] + 8, 1, 0x02],
    ['the prefix of a group behind a sequence', (): number => codes(whole, GROUP)[1], 0, 0x40],
  ])('get a bit of a start code back that was turned: %s', async (_, place, byte, bit) => {
    const hit = new Uint8Array(whole)
    hit[place() + byte] ^= bit
    const { report, result } = await mend(hit)
    expect(report.findings.map(({ code }) => code)).toEqual(['mpegvideo.start-code'])
    expect(report.verdict).toBe('repaired')
    expect(result).toEqual(whole)
  })

  it('have a number put right that those around contradict', async () => {
    const hit = new Uint8Array(whole)
    hit[pictures[13] + 4] ^= 0x20
    const { report, result } = await mend(hit)
    expect(report.findings.map(({ code }) => code)).toEqual(['mpegvideo.reference'])
    expect(result).toEqual(whole)
  })

  it('have a hit sequence header replaced', async () => {
    const [, second] = codes(whole, SEQUENCE)
    const hit = new Uint8Array(whole)
    hit[second + 5] ^= 0x08
    const { report, result } = await mend(hit)
    expect(report.findings.map(({ code }) => code)).toEqual(['mpegvideo.sequence-header'])
    expect(result).toEqual(whole)
  })

  it('leave a doubt where a header is hit and its picture has to be left out', async () => {
    const hit = new Uint8Array(whole)
    hit[pictures[13] + 5] &= 0xc7
    const { report } = await mend(hit)
    expect(report.doubts).toEqual([DOUBT.unexplained])
  })

  it('lose what is put in between them', async () => {
    const at = pictures[13]
    const put = Uint8Array.of(...[0, 0, 1, 0xe0], ...new Uint8Array(500).fill(0x55))
    const { report, result } = await mend(joined([whole.subarray(0, at), put, whole.subarray(at)]))
    expect(report.verdict).toBe('repaired')
    expect(result).toEqual(whole)
  })
})

/**
 * Groups as some encoders number them: their first pictures to be shown go on from the group before, and the key picture is
 * number zero.
 */
function oddlyNumbered(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes)
  const groups = codes(bytes, GROUP)
  for (const at of codes(bytes, PICTURE).filter((place) => place > groups[1])) {
    const reference = (bytes[at + 4] << 2) | (bytes[at + 5] >> 6)
    const odd = reference < 2 ? reference + 40 : reference - 2
    result[at + 4] = odd >> 2
    result[at + 5] = ((odd & 3) << 6) | (bytes[at + 5] & 0x3f)
  }
  return result
}

describe('bare pictures whose numbers contradict the order of coding', () => {
  const odd = oddlyNumbered(MPEG2)

  it('are healthy where nothing is missing', async () => {
    expect(await isHealthy(odd)).toBe(true)
  })

  it('are of doubtful times where something is', async () => {
    const at = codes(odd, PICTURE)[7]
    expect((await mend(zeroed(odd, at, at + 2_000))).report.doubts).toEqual([DOUBT.times])
  })
})

it('zeros exactly between pictures in which a group began are no padding', async () => {
  const [, group] = codes(MPEG1, GROUP)
  const starts = codes(MPEG1, PICTURE)
  const behind = starts.findIndex((at) => at > group)
  const { report, result } = await mend(zeroed(MPEG1, group - 12, starts[behind + 1]))
  expect(report.verdict).not.toBe('healthy')
  expect(report.tracks[0].lost).toBe(1)
  expect(codes(result, PICTURE).length).toBe(starts.length)
  // as many that pad pictures up to a rate are
  const padded = joined([MPEG1.subarray(0, starts[5]), new Uint8Array(7000), MPEG1.subarray(starts[5])])
  expect((await mend(padded)).report.verdict).toBe('healthy')
})
