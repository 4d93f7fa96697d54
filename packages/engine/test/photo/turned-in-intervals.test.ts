import { expect, it } from 'vitest'
import { MemorySink } from '../../src/bytes/sink.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { repair } from '../../src/engine.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { type PhotoCoefficients, readPhoto } from '../../testing/photos/read-photo.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

const [WIDTH, HEIGHT] = [640, 400]
const OPTIONS = { sampling: [2, 1], quality: 92, interval: 40 } as const

function read(bytes: Uint8Array): PhotoCoefficients {
  const photo = readPhoto(bytes)
  if (!photo) throw new Error('the drawn photo cannot be read')
  return photo
}

/** MCUs of a photo that are not those of the original. */
function wrongMcus({ layout, coefficients }: PhotoCoefficients, other: PhotoCoefficients): number[] {
  const { mcuCount, mcuLength } = layout
  return Array.from({ length: mcuCount }, (_, mcu) => mcu).filter((mcu) =>
    coefficients
      .subarray(mcu * mcuLength, (mcu + 1) * mcuLength)
      .some((value, i) => value !== other.coefficients[mcu * mcuLength + i]),
  )
}

async function repaired(damaged: Uint8Array): Promise<{ verdict: string; photo: PhotoCoefficients }> {
  const sink = new MemorySink()
  const { verdict } = await repair({
    damaged: { source: new MemorySource(damaged), name: 'photo.jpg' },
    sink,
  })
  return { verdict, photo: read(verdict === 'healthy' ? damaged : sink.bytes()) }
}

/** The first photo with one bit turned, from a part of the scan on, that is as wanted. */
function turned(
  intact: Uint8Array,
  part: number,
  wanted: (damaged: Uint8Array, at: number) => boolean,
): Uint8Array {
  const { start, end } = read(intact)
  const damaged = intact.slice()
  for (let at = start + Math.floor(part * (end - start)); at < end; at++) {
    if (damaged[at] === 0xff || damaged[at - 1] === 0xff) continue
    for (let bit = 1; bit < 256; bit *= 2) {
      damaged[at] ^= bit
      if (wanted(damaged, at)) return damaged
      damaged[at] ^= bit
    }
  }
  throw new Error('no such bit')
}

it('levels that a turned bit leaves wrong in a scan whose intervals are all whole are seen and made right', async () => {
  const intact = writePhoto(drawPicture(WIDTH, HEIGHT, 8), OPTIONS)
  const photo = read(intact)
  const damaged = turned(intact, 0.5, (bytes, at) => {
    if (bytes[at] === 0xff) return false
    const other = read(bytes)
    const wrong = wrongMcus(photo, other)
    const { mcuLength } = photo.layout
    const behind = (wrong.at(-1) ?? 0) * mcuLength
    const change = other.coefficients[behind] - photo.coefficients[behind]
    return other.whole && wrong.length > 20 && Math.abs(change * photo.quantisation[0][0]) > 64
  })
  const { verdict, photo: back } = await repaired(damaged)
  expect(verdict).toBe('partial')
  expect(wrongMcus(photo, back).length).toBeLessThan(4)
})

it('a step of levels as small and short as sound pictures have is no damage', async () => {
  const intact = writePhoto(drawPicture(WIDTH, HEIGHT, 8), OPTIONS)
  const photo = read(intact)
  const slight = turned(intact, 0.3093, (bytes, at) => {
    if (bytes[at] === 0xff) return false
    const other = read(bytes)
    const wrong = wrongMcus(photo, other)
    const last = (wrong.at(-1) ?? 0) * photo.layout.mcuLength
    const change = Math.abs(other.coefficients[last] - photo.coefficients[last]) * photo.quantisation[0][0]
    return other.whole && wrong.length >= 13 && wrong.length < 20 && change >= 24 && change <= 64
  })
  expect((await repaired(slight)).verdict).toBe('healthy')
})

it('a bit that makes a marker is turned back, and no damage is seen where it was', async () => {
  const intact = writePhoto(drawPicture(WIDTH, HEIGHT, 8), OPTIONS)
  const photo = read(intact)
  const damaged = turned(
    intact,
    0.3,
    (bytes, at) => bytes[at] === 0xff && bytes[at + 1] > 0 && bytes[at + 1] < 0xc0,
  )
  const { verdict, photo: back } = await repaired(damaged)
  expect(verdict).toBe('partial')
  expect(wrongMcus(photo, back)).toEqual([])
})

it('a bit is turned back where the picture is more uneven than elsewhere', async () => {
  const picture = drawPicture(WIDTH, HEIGHT, 8)
  const grain = drawPicture(WIDTH, HEIGHT, 9).pixels
  for (let i = (WIDTH * HEIGHT * 3 * 7) >> 3; i < picture.pixels.length; i++)
    picture.pixels[i] = (picture.pixels[i] + 37 * grain[(i * 7919) % grain.length]) & 0xff
  const intact = writePhoto(picture, OPTIONS)
  const photo = read(intact)
  const damaged = turned(intact, 0.8, (bytes, at) => bytes[at] !== 0xff && !read(bytes).whole)
  const { verdict, photo: back } = await repaired(damaged)
  expect(verdict).toBe('partial')
  expect(wrongMcus(photo, back).length).toBeLessThan(4)
})

it.each([
  ['ones', 0, 0.8],
  ['zero', 1, 0.37],
])(
  'a bit turned in the %s where a zero is stuffed behind ones is turned back, the zero no data',
  async (_, behind, part) => {
    const intact = writePhoto(drawPicture(WIDTH, HEIGHT, 8), OPTIONS)
    const photo = read(intact)
    const damaged = intact.slice()
    let at = photo.start + Math.floor(part * (photo.end - photo.start))
    while (intact[at] !== 0xff || intact[at + 1] !== 0) at++
    damaged[at + behind] ^= 0x10
    const { verdict, photo: back } = await repaired(damaged)
    expect(verdict).toBe('partial')
    expect(wrongMcus(photo, back)).toEqual([])
  },
)
