import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderPhoto, verifyPhoto } from '../src/index.ts'
import { kindOfPhoto } from '../src/photo/kind.ts'
import { decodeRaw } from '../src/photo/raw.ts'
import { type Clips, clips } from './clips.ts'

const TIFF = fileURLToPath(new URL('../../engine/testing/fixtures/tiff/lzw.tif', import.meta.url))

let scratch: Clips
beforeAll(() => {
  scratch = clips()
})
afterAll(() => scratch.remove())

async function jpeg(name: string, orientation = 1): Promise<string> {
  const path = join(scratch.folder, name)
  const noise = new Uint8Array(320 * 200 * 3).map((_, i) => (i * 2_654_435_761) >>> 24)
  await sharp(noise, { raw: { width: 320, height: 200, channels: 3 } })
    .withMetadata({ orientation })
    .jpeg()
    .toFile(path)
  return path
}

describe('a photo', () => {
  it('that is whole decodes without a complaint', async () => {
    expect(await verifyPhoto(await jpeg('whole.jpg'))).toEqual({
      decodable: true,
      checked: true,
      errors: 0,
      width: 320,
      height: 200,
    })
    expect(await verifyPhoto(TIFF)).toMatchObject({ decodable: true, errors: 0, width: 96, height: 64 })
  })

  it.each(['colours', 'indexed', 'bilevel', 'masked', 'os2', 'run-lengths'])(
    'that is a bitmap, %s, decodes, and broken off decodes with a complaint',
    async (name) => {
      const path = join(scratch.folder, `${name}.bmp`)
      const bytes = readFileSync(
        fileURLToPath(new URL(`../../engine/testing/fixtures/bmp/${name}.bmp`, import.meta.url)),
      )
      writeFileSync(path, bytes)
      expect(await verifyPhoto(path)).toMatchObject({ decodable: true, checked: true, errors: 0 })
      writeFileSync(path, bytes.subarray(0, bytes.length - 300))
      expect(await verifyPhoto(path)).toMatchObject({ decodable: true, checked: true, errors: 1 })
    },
  )

  it('is of AV1 by the brands that its file type names, not by its version', () => {
    const head = (...fields: string[]) =>
      Buffer.from(`\0\0\0${String.fromCharCode(8 + 4 * fields.length)}ftyp${fields.join('')}`, 'latin1')
    expect(kindOfPhoto(head('mif1', '\0\0\0\0', 'avif'), 'heic')).toBe('common')
    expect(kindOfPhoto(head('mif1', 'avif', 'heic'), 'heic')).toBe('heif')
    expect(kindOfPhoto(Buffer.concat([head('mif1', '\0\0\0\0'), Buffer.from('avif')]), 'heic')).toBe('heif')
  })

  it('of AV1 whose first brand names no codec decodes', async () => {
    const path = join(scratch.folder, 'still.avif')
    const bytes = await sharp({ create: { width: 48, height: 32, channels: 3, background: '#806040' } })
      .avif({ effort: 0 })
      .toBuffer()
    bytes.write('mif1', 8, 'latin1')
    writeFileSync(path, bytes)
    expect(await verifyPhoto(path)).toMatchObject({ decodable: true, checked: true, width: 48, height: 32 })
  })

  it('of AV1 that says it is a sequence decodes by the media library, and not once it is hit', async () => {
    const path = join(scratch.folder, 'sequence.avif')
    const bytes = await sharp({ create: { width: 48, height: 32, channels: 3, background: '#806040' } })
      .avif({ effort: 0 })
      .toBuffer()
    bytes.write('avis', 8, 'latin1')
    writeFileSync(path, bytes)
    expect(await verifyPhoto(path)).toEqual({
      decodable: true,
      checked: true,
      errors: 1,
      width: 48,
      height: 32,
    })
    writeFileSync(path, bytes.fill(0, bytes.indexOf('mdat') + 4))
    expect(await verifyPhoto(path)).toMatchObject({ decodable: false, checked: true, errors: 1 })
  })

  it.each([
    ['mrw/dimage.mrw', 64, 48, [241, 169, 235]],
    ['crw/powershot.crw', 48, 64, [249, 221, 174]],
  ])(
    'that is raw, %s, is developed at half its size in the camera’s balance',
    async (name, width, height, means) => {
      const path = fileURLToPath(new URL(`../../engine/testing/fixtures/${name}`, import.meta.url))
      const { data, ...picture } = await decodeRaw(path)
      const mean = (channel: number): number =>
        Math.round(
          data.reduce((sum, value, i) => sum + (i % 3 === channel ? value : 0), 0) / (data.length / 3),
        )
      expect([0, 1, 2].map(mean)).toEqual(means)
      expect([picture.width, picture.height, data.length]).toEqual([width, height, width * height * 3])
    },
  )

  it('that was hit decodes with a complaint', async () => {
    const path = await jpeg('hit.jpg')
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.subarray(0, bytes.length >> 1))
    expect(await verifyPhoto(path)).toMatchObject({ decodable: true, checked: true, errors: 1 })
  })

  it('that is none is not decodable, or not known here', async () => {
    const noise = join(scratch.folder, 'noise.jpg')
    writeFileSync(noise, Uint8Array.of(0xff, 0xd8, ...new Uint8Array(1000).fill(7)))
    expect(await verifyPhoto(noise)).toMatchObject({ decodable: false, checked: true })
    const text = join(scratch.folder, 'text.jpg')
    writeFileSync(text, 'Dear diary, nothing happened today.')
    expect(await verifyPhoto(text)).toMatchObject({ decodable: false, checked: false })
  })

  it('is rendered upright, within the size asked for, as JPEG or PNG', async () => {
    const input = await jpeg('turned.jpg', 6)
    for (const format of ['jpeg', 'png'] as const) {
      const output = join(scratch.folder, `small.${format}`)
      expect(await renderPhoto({ input, output, format, longestSide: 100 })).toEqual({
        width: 63,
        height: 100,
      })
      expect((await sharp(output).metadata()).format).toBe(format)
    }
    const whole = await renderPhoto({ input, output: join(scratch.folder, 'whole.png'), format: 'png' })
    expect(whole).toEqual({ width: 200, height: 320 })
  })
})
