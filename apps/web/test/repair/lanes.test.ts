import { expect, it } from 'vitest'
import { Lanes } from '../../src/features/repair/photo/lanes.ts'

/** Works on lanes: which began, how many went on at once at the most, and what ends each. */
function works(count: () => number) {
  const lanes = new Lanes(count)
  const seen = { began: [] as string[], atOnce: 0, ends: new Map<string, () => void>() }
  let open = 0
  const run = (name: string): Promise<void> =>
    lanes.run(async () => {
      seen.began.push(name)
      seen.atOnce = Math.max(seen.atOnce, ++open)
      await new Promise<void>((end) => seen.ends.set(name, end))
      open--
    })
  return { run, seen }
}

it('a work takes a free lane, the others wait in their order, also when one fails', async () => {
  let count = 1
  const { run, seen } = works(() => count)
  const [a] = [run('a'), run('b'), run('c'), run('d')]
  await expect.poll(() => seen.began).toEqual(['a'])
  seen.ends.get('a')?.()
  await a
  await expect.poll(() => seen.began).toEqual(['a', 'b'])
  // more lanes serve who comes next
  count = 2
  void run('e')
  await expect.poll(() => seen.began).toEqual(['a', 'b', 'e'])
  count = 1
  seen.ends.get('b')?.()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(seen.began).toEqual(['a', 'b', 'e'])
  seen.ends.get('e')?.()
  await expect.poll(() => seen.began).toEqual(['a', 'b', 'e', 'c'])
  const lanes = new Lanes(() => 1)
  const failed = lanes.run(() => Promise.reject(new Error('broken')))
  const next = lanes.run(async () => undefined)
  await expect(failed).rejects.toThrow('broken')
  await next
})

it('a lane that is handed on is not taken by who comes at that moment', async () => {
  for (let steps = 0; steps < 10; steps++) {
    const { run, seen } = works(() => 1)
    void run('first')
    void run('waits')
    await Promise.resolve()
    seen.ends.get('first')?.()
    for (let i = 0; i < steps; i++) await Promise.resolve()
    void run('late')
    await new Promise((resolve) => setTimeout(resolve))
    expect([seen.atOnce, seen.began], `${steps} steps later`).toEqual([1, ['first', 'waits']])
  }
})
