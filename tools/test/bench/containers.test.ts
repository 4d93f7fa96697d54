import { expect, it } from 'vitest'
import { containerOf } from '../../src/bench/containers.ts'

it('knows containers that tear packets into pieces by every extension that files of them have', () => {
  const named = (...extensions: string[]) => extensions.map((extension) => containerOf(`a.${extension}`))
  expect(new Set(named('ts', 'mts', 'm2ts', 'm2t', 'TS'))).toEqual(new Set(['mpegts']))
  expect(new Set(named('asf', 'wmv', 'wma'))).toEqual(new Set(['asf']))
  expect(named('mpg', 'mod', 'vob', 'dat')).toEqual(['mpeg', 'mpeg', 'vob', 'vcd'])
})
