import { RendererError } from '@mendframe/renderer'
import { EngineCrashError, EnvironmentError } from '@mendframe/runner'
import { expect, test } from 'vitest'
import { isOwnCrash, MOST_TAKEN, waitAfterFault } from '../src/tries.ts'

test('only what breaks off at work on the file itself is a crash of its own', () => {
  const own = [new EngineCrashError('it died', ''), new RendererError('crashed', 'it died')]
  const others = [
    new EnvironmentError('the store is away'),
    new RendererError('aborted', 'stopped'),
    new Error('what?'),
  ]
  expect([...own, ...others].map(isOwnCrash)).toEqual([true, true, false, false, false])
})

test('a repair that falls with what is around it is taken again within a minute each time, for a quarter of an hour', () => {
  const waits = Array.from({ length: MOST_TAKEN - 1 }, (_, i) => waitAfterFault(i + 1))
  expect(waits.slice(0, 3)).toEqual([2, 4, 8])
  expect(Math.max(...waits)).toBe(60)
  const minutes = waits.reduce((sum, wait) => sum + wait, 0) / 60
  expect(Math.round(minutes)).toBe(15)
})
