import { expect, test } from 'vitest'
import { Remembered, StatementWatch } from '../src/db/remembered.ts'

const NOW = new Date(1_000)

test('an answer is kept until one of its tables is written, however the statement is spelt', async () => {
  const watch = new StatementWatch()
  const remembered = new Remembered<number>(watch, ['users', 'sessions'])
  let loads = 0
  const ask = () => remembered.get('key', NOW, async () => ({ value: ++loads }))
  expect([await ask(), await ask()]).toEqual([1, 1])
  watch.logQuery('select * from "users"')
  watch.logQuery('insert into "uploads" values (1)')
  expect(await ask()).toBe(1)
  for (const statement of [
    'update "users" set x = 1',
    'delete from "sessions"',
    'INSERT INTO users VALUES (1)',
    '\n update users set x',
  ]) {
    watch.logQuery(statement)
    const before = loads
    expect(await ask(), statement).toBe(before + 1)
  }
})

test('an answer that was loaded while its table was written is not kept', async () => {
  const watch = new StatementWatch()
  const remembered = new Remembered<string>(watch, ['users'])
  const first = await remembered.get('key', NOW, async () => {
    watch.logQuery('update "users" set x = 1')
    return { value: 'old' }
  })
  expect(first).toBe('old')
  expect(await remembered.get('key', NOW, async () => ({ value: 'new' }))).toBe('new')
})

test('an answer ends at its moment, and without a watch none is kept', async () => {
  const remembered = new Remembered<number>(new StatementWatch(), ['users'])
  let loads = 0
  const load = async () => ({ value: ++loads, until: new Date(2_000) })
  expect(await remembered.get('key', NOW, load)).toBe(1)
  expect(await remembered.get('key', new Date(1_999), load)).toBe(1)
  expect(await remembered.get('key', new Date(2_000), load)).toBe(2)
  const forgetful = new Remembered<number>(undefined, ['users'])
  expect([await forgetful.get('key', NOW, load), await forgetful.get('key', NOW, load)]).toEqual([3, 4])
})
