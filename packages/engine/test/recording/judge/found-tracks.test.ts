import { describe, expect, it } from 'vitest'
import { findsAll } from '../../../src/recording/judge/found-tracks.ts'

describe('tracks that an index names', () => {
  it.each([
    ['pictures and sound', ['video', 'audio'], ['audio', 'video'], true],
    ['sound that was not found', ['video', 'audio'], ['video'], false],
    ['pictures that were not found', ['video', 'audio'], ['audio'], false],
    ['a second sound that was not found', ['video', 'audio', 'audio'], ['video', 'audio'], false],
    ['data, which may be left out', ['video', 'data'], ['video'], true],
    ['less than was found', ['video'], ['video', 'audio'], true],
    ['nothing', [], [], true],
  ] as const)('%s', (_, named, found, all) => {
    expect(findsAll(named, found)).toBe(all)
  })
})
