import { expect, it } from 'vitest'
import { rowLayout } from '../../../src/formats/isobmff/read/expand-tables.ts'
import { movieOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

it('frames of plain sound are written with a size that is no more than a frame, whatever a flipped bit made of it', async () => {
  const [, sound] = (await movieOf(fixture('h264-pcm.mov'))).tracks
  const { description, tables } = sound
  const written = (constant: number): number | undefined => {
    const sizes = { constant, count: tables.sizes?.count ?? 0, sizes: new Uint32Array(0) }
    const layout = rowLayout(description, { ...tables, sizes })
    return layout.rows === 'runs' ? layout.sizeField : undefined
  }
  const frame = description.blockAlign ?? 0
  for (const flip of [4, 18, 31]) expect(written(frame + 2 ** flip)).toBe(frame)
  // old QuickTime files say 1 whatever a frame has
  expect(written(1)).toBe(1)
})
