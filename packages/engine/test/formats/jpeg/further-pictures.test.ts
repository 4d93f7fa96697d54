import { describe, expect, it } from 'vitest'
import { drawPicture } from '../../../testing/photos/draw.ts'
import { readPhoto } from '../../../testing/photos/read-photo.ts'
import { writePhoto } from '../../../testing/photos/write-photo.ts'
import { clustered, hit, indexed, joined, mend, withIndex } from './several-pictures.ts'

const PLAIN = { sampling: [2, 2], quality: 90, interval: 0 } as const
const main = writePhoto(drawPicture(480, 320, 21), PLAIN)
const second = writePhoto(drawPicture(320, 240, 22), PLAIN)
const third = writePhoto(drawPicture(240, 160, 23), PLAIN)
const large = writePhoto(drawPicture(1_200, 800, 24), PLAIN)

/** A large thumbnail of the size of a screen, CIPA DC-007-2009 §5.2.3.3. */
const THUMBNAIL = 0x01_00_01

describe('a picture behind the first', () => {
  it('that is whole leaves the file healthy, whatever lies between', async () => {
    const { report } = await mend(joined(main, new Uint8Array(900), second, third))
    expect(report.verdict).toBe('healthy')
  })

  it.each([
    ['zeros in its scan', joined(main, hit(second), third), 1],
    ['its end cut off', joined(main, second, third.subarray(0, third.length >> 1)), 2],
  ])('with %s is told of, mended, and the others stay', async (_, damaged, which) => {
    const { report, output } = await mend(damaged)
    expect(report.verdict).toBe('partial')
    expect(report.pictures.map(({ role }) => role)).toEqual(['main', 'further', 'further'])
    expect(report.pictures.map(({ lost }) => lost > 0)).toEqual([0, 1, 2].map((i) => i === which))
    expect(report.doubts?.map(({ code }) => code)).toContain('areas-lost')
    expect(output.subarray(0, main.length)).toEqual(main)
    if (which === 1) expect(output.subarray(output.length - third.length)).toEqual(third)
    else expect(output.subarray(main.length, main.length + second.length)).toEqual(second)
    expect([...output.subarray(-2)]).toEqual([0xff, 0xd9])
    expect((await mend(output)).report.verdict).toBe('healthy')
  })

  it('is mended where the first is hit as well', async () => {
    const { report, output } = await mend(joined(hit(main), hit(second)))
    expect(report.pictures.map(({ lost }) => lost > 0)).toEqual([true, true])
    expect((await mend(output)).report.verdict).toBe('healthy')
  })

  it('is found again by the index of the first, its length and those behind it too', async () => {
    const whole = withIndex([main, second, third])
    expect(indexed(whole)[2]).toEqual([whole.length - third.length, third.length])
    const at = whole.length - third.length - (second.length >> 1)
    const { output } = await mend(Uint8Array.from(whole).fill(0, at, at + 600))
    expect(output.length).not.toBe(whole.length)
    const [, [start, length], last] = indexed(output) as [unknown, readonly [number, number], unknown]
    expect([...output.subarray(start, start + 2)]).toEqual([0xff, 0xd8])
    expect([...output.subarray(start + length - 2, start + length)]).toEqual([0xff, 0xd9])
    expect(last).toEqual([start + length, third.length])
    expect(output.length).toBe(start + length + third.length)
  })

  it('is no preview of the first unless the index says so: a map of its gains shows something else', async () => {
    const alone = await mend(withIndex([hit(main)]))
    const behind = await mend(withIndex([hit(main), third]))
    expect(readPhoto(behind.output)?.coefficients).toEqual(readPhoto(alone.output)?.coefficients)
  })

  it.each([
    ['all are there', third],
    ['the one before it is no picture any more', new Uint8Array(third.length)],
  ])('is a preview of the first where the index says so of that one, and %s', async (_, between) => {
    const small = writePhoto(drawPicture(240, 160, 21), PLAIN)
    const alone = await mend(withIndex([hit(main)]))
    const behind = await mend(withIndex([hit(main), small], [THUMBNAIL]))
    expect(readPhoto(behind.output)?.coefficients).not.toEqual(readPhoto(alone.output)?.coefficients)
    const last = await mend(withIndex([hit(main), between, small], [0, THUMBNAIL]))
    expect(readPhoto(last.output)?.coefficients).toEqual(readPhoto(behind.output)?.coefficients)
  })
})

function holds(output: Uint8Array, part: Uint8Array): boolean {
  return Buffer.from(output).includes(part)
}

describe('photos that ran into one file', () => {
  const card = [main, second, third, second, third, second, third, second, third, second].map(clustered)

  it('are told, however many', async () => {
    const { report } = await mend(joined(...card))
    expect(report.verdict).toBe('healthy')
    const told = report.findings.find(({ code }) => code === 'jpeg.further-pictures')
    expect(told?.message).toContain('9 further pictures')
  })

  it('are looked at to the last', async () => {
    const { report } = await mend(joined(...card, hit(third)))
    expect(report.verdict).toBe('partial')
    expect(report.pictures.filter(({ lost }) => lost > 0)).toEqual([report.pictures.at(-1)])
  })

  it('are the photos, whatever stands in front of them', async () => {
    const noise = Uint8Array.from({ length: 3_000 }, (_, i) => (i * i * 31) % 251)
    const { report, output } = await mend(joined(noise, clustered(third), clustered(third), third))
    expect(report.verdict).toBe('repaired')
    expect(output).toEqual(joined(clustered(third), clustered(third), third))
  })

  it.each([
    ['in the middle', [third]],
    ['at the end', []],
  ])('are mended where one %s lost its head', async (_, behind) => {
    const headless = Uint8Array.from(clustered(second)).fill(0, 0, 512)
    const { report, output } = await mend(joined(clustered(main), headless, ...behind))
    expect(report.findings.map(({ code }) => code)).toContain('jpeg.further-damaged')
    expect(report.pictures.map(({ role, width, height }) => [role, width, height])).toEqual([
      ['main', 480, 320],
      ['further', 320, 240],
    ])
    expect(report.pictures[0]?.lost).toBe(0)
    expect(output.subarray(0, main.length)).toEqual(main)
    for (const each of behind) expect(holds(output, each)).toBe(true)
    expect((await mend(output)).report.verdict).toBe('healthy')
  })
})

describe('a picture in the middle of another', () => {
  const middle = 512 * Math.floor(main.length / 1_024)

  it.each([0, 7, 30])('is taken out and kept, with %i MCUs between restarts', async (interval) => {
    const photo = writePhoto(drawPicture(480, 320, 21), { ...PLAIN, interval })
    const at = 512 * Math.floor(photo.length / 1_024)
    const damaged = joined(photo.subarray(0, at), clustered(second), photo.subarray(at))
    const { report, output } = await mend(damaged)
    expect(report.verdict).toBe('repaired')
    expect(report.findings.map(({ code }) => code)).toContain('jpeg.foreign-picture')
    expect(output.subarray(0, photo.length)).toEqual(photo)
    expect(holds(output, second)).toBe(true)
  })

  it('of which only the first clusters are there gives the photo back whole', async () => {
    const start = second.subarray(0, 512 * Math.floor(second.length / 1_024))
    const { report, output } = await mend(joined(main.subarray(0, middle), start, main.subarray(middle)))
    expect(report.findings.map(({ code }) => code)).toContain('jpeg.foreign-picture')
    expect(output.subarray(0, main.length)).toEqual(main)
    expect(report.pictures.map(({ role }) => role)).toEqual(['main', 'further'])
  })

  it.each([
    ['whole', large],
    ['cut', large.subarray(0, 512 * Math.floor(large.length / 1_024))],
  ])('is taken out where it is %s and much more than the photo in front of it', async (_, other) => {
    const damaged = joined(main.subarray(0, middle), clustered(other), main.subarray(middle))
    const { report, output } = await mend(damaged)
    expect(report.findings.map(({ code }) => code)).toContain('jpeg.foreign-picture')
    expect(report.pictures[0]).toMatchObject({ width: 480, height: 320, lost: 0 })
    expect(output.subarray(0, main.length)).toEqual(main)
    if (other === large) expect(holds(output, large)).toBe(true)
  })

  it('is none where the photo was cut and another that was hit follows', async () => {
    const { report } = await mend(joined(main.subarray(0, middle), hit(second), third))
    expect(report.findings.map(({ code }) => code)).not.toContain('jpeg.foreign-picture')
    expect(report.verdict).toBe('partial')
  })
})
