import { expect, it } from 'vitest'
import { walk } from '../../../src/formats/gif/read/walk.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { repeated } from '../../../testing/adversaries/bytes.ts'

/** A descriptor of such a width, codes that clear, tell a pixel and end, and the end of the file: 16 bytes. */
function pictureOf(width: readonly [number, number]): readonly number[] {
  return [0x2c, 1, 0, 1, 0, ...width, 90, 0, 0, ...[2, 2, 0x4c, 0x01, 0], 0x3b]
}

it('a picture whose sub-blocks of one length run to the end of the file has no other picture within', async () => {
  const descriptor = [0x2c, 0, 0, 0, 0, 200, 0, 200, 0, 0]
  const data = Array.from({ length: 6 }, () => [255, ...Array<number>(255).fill(0x77)]).flat()
  data.splice(300, 16, ...pictureOf([90, 0]))
  const bytes = Uint8Array.from([...descriptor, 8, ...data, 255, ...Array<number>(100).fill(0x55)])
  const { blocks, ended } = await walk(bytes, 0, SILENT)
  expect([ended, blocks.map(({ kind, end }) => [kind, end])]).toEqual([false, [['image', bytes.length]]])
})

it('a picture that breaks off has none within that reaches beyond the screen', async () => {
  const descriptor = [0x2c, 0, 0, 0, 0, 200, 0, 200, 0, 0]
  const data = Array.from({ length: 6 }, (_, i) => [200 + i, ...Array<number>(200 + i).fill(0x77)]).flat()
  data.splice(300, 16, ...pictureOf([90, 90]))
  const bytes = Uint8Array.from([...descriptor, 8, ...data, 0, 0x77, 0x77, ...Array<number>(100).fill(0x55)])
  const within = async (width: number): Promise<readonly number[]> =>
    (await walk(bytes, 0, SILENT, { width, height: 200 })).blocks.map(({ offset }) => offset)
  expect(await within(65_535)).toContain(descriptor.length + 1 + 300)
  expect(await within(200)).not.toContain(descriptor.length + 1 + 300)
})

it('pictures without number end where no file has more for its bytes, and the rest is one stretch', async () => {
  const picture = Uint8Array.of(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0)
  const bytes = repeated(picture, picture.length * 100_000)
  const { blocks } = await walk(bytes, 0, SILENT)
  expect(blocks.length).toBeLessThan(75_000)
  expect(blocks.at(-1)).toEqual({ kind: 'junk', offset: (blocks.length - 1) * 15, end: bytes.length })
  expect((await walk(bytes.subarray(0, 15 * 60_000), 0, SILENT)).blocks).toHaveLength(60_000)
})
