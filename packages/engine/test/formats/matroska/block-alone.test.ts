import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { XIPH_LACING } from '../../../src/formats/matroska/read/block.ts'
import { walk } from '../../../src/formats/matroska/read/walk.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { smallFilm } from './support/small-film.ts'

/**
 * Bytes of a short block in front of its data: identifier, size, track, two of its time, flags; the size of a long one has two.
 */
const HEAD = 6
const KEY_PICTURE = 12
const PICTURE = 5

/**
 * What is found of a film whose blocks but the first and the one at `place` are overwritten, `change` having been made to that.
 */
async function found(
  { film, pictures }: ReturnType<typeof smallFilm>,
  place: number,
  change: (film: Uint8Array, at: number) => void = () => {},
) {
  const damaged = film.slice()
  const { offset, size } = pictures[place]
  damaged.fill(0x55, pictures[0].offset + pictures[0].size, offset - HEAD - (size > 120 ? 1 : 0))
  damaged.fill(0x55, offset + size)
  change(damaged, offset)
  const { blocks, gaps } = await walk(new ByteReader(new MemorySource(damaged)), DEFAULT_LIMITS, SILENT, [])
  return {
    pictures: pictures.flatMap(({ offset }, i) => (blocks.payload.includes(offset) ? [i] : [])),
    candidates: gaps.reduce((sum, gap) => sum + gap.candidates, 0),
  }
}

describe('a block by itself among bytes that are no elements', () => {
  const known = smallFilm('vp8', 'V_VP8')
  const unknown = smallFilm('vp8', 'V_UNKNOWN')

  it('is taken where its codec shows it', async () => {
    expect(await found(known, KEY_PICTURE)).toEqual({ pictures: [0, KEY_PICTURE], candidates: 0 })
  })

  it('is counted where its codec allows it, or cannot say', async () => {
    expect(await found(known, PICTURE)).toEqual({ pictures: [0], candidates: 1 })
    expect(await found(unknown, PICTURE)).toEqual({ pictures: [0], candidates: 1 })
  })

  it('is nothing where its codec says that it is no frame', async () => {
    const torn = (film: Uint8Array, at: number): void => void film.fill(0xff, at, at + 10)
    expect(await found(known, KEY_PICTURE, torn)).toEqual({ pictures: [0], candidates: 0 })
  })

  it('is nothing where its data are laced, which its codec cannot show', async () => {
    const laced = (film: Uint8Array, at: number): void => {
      film[at - 1] |= XIPH_LACING
      film.set([1, 20], at)
    }
    expect(await found(unknown, PICTURE, laced)).toEqual({ pictures: [0], candidates: 0 })
    const tornLace = (film: Uint8Array, at: number): void => {
      laced(film, at)
      film[at] = 200
      film.fill(0xff, at + 1, at + 40)
    }
    expect(await found(unknown, PICTURE, tornLace)).toEqual({ pictures: [0], candidates: 0 })
  })
})
