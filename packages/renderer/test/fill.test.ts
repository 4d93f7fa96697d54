import type { Frame } from 'node-av/lib'
import { describe, expect, it } from 'vitest'
import { Filler } from '../src/tasks/enhance/fill.ts'
import type { Shape } from '../src/tasks/enhance/scan.ts'

const SHAPE = { width: 16, height: 16, format: 0 } as Shape

/** A picture that is known by its name, whoever holds a copy of it. */
function picture(name: string): Frame {
  const frame = { ...SHAPE, name, clone: () => picture(name), free: () => {} }
  return frame as unknown as Frame
}

/** What is shown at each place from 1 on, of pictures at some places. */
function filled(end: number, pictures: Readonly<Record<number, string>>): string[] {
  const shown: string[] = []
  const filler = new Filler(SHAPE, 1, end, (frame) => shown.push((frame as unknown as { name: string }).name))
  for (const [rank, name] of Object.entries(pictures)) filler.offer(picture(name), Number(rank))
  if (!filler.done) filler.finish()
  filler.close()
  return shown
}

describe('places without a picture', () => {
  it('show the nearer of both neighbours in long gaps', () => {
    expect(filled(9, { 0: 'before', 9: 'after' })).toEqual([
      ...['before', 'before', 'before', 'before'],
      ...['after', 'after', 'after', 'after'],
    ])
  })

  it('show the last one where none comes any more, and the next one where none was before', () => {
    expect(filled(8, { 1: 'a', 2: 'b' })).toEqual(['a', 'b', 'b', 'b', 'b', 'b', 'b'])
    expect(filled(8, { 6: 'c', 7: 'd' })).toEqual(['c', 'c', 'c', 'c', 'c', 'c', 'd'])
  })

  it('are none where every place has its own', () => {
    expect(filled(4, { 0: 'x', 1: 'a', 2: 'b', 3: 'c', 4: 'd' })).toEqual(['a', 'b', 'c'])
  })
})
