import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PreparedPGlite } from '../src/db/prepared-pglite.ts'

let prepared: PreparedPGlite
let plain: PGlite
beforeAll(async () => {
  prepared = new PreparedPGlite()
  await prepared.waitReady
  plain = await PGlite.create()
  for (const client of [prepared, plain]) {
    await client.exec(`
      SET TIME ZONE 'UTC';
      CREATE TABLE things (id int PRIMARY KEY, name text UNIQUE, at timestamptz, data jsonb, size bigint, flag boolean, ratio double precision, tags text[]);
    `)
  }
})
afterAll(async () => {
  await prepared.close()
  await plain.close()
})

const INSERT = 'INSERT INTO things VALUES ($1, $2, $3, $4, $5, $6, $7, $8)'
const row = (id: number) => [
  id,
  `näme ${id}`,
  new Date(id * 1000),
  { a: [id, null] },
  2 ** 40 + id,
  id % 2 === 0,
  id / 3,
  ['x', 'y"z'],
]

describe('prepared statements', () => {
  test('answer as the library does, row by row and in every form', async () => {
    for (const client of [prepared, plain]) {
      for (let id = 1; id <= 5; id++) expect((await client.query(INSERT, row(id))).affectedRows).toBe(1)
      await client.query(INSERT, [6, null, null, null, null, null, null, null])
    }
    const statements: [string, unknown[]][] = [
      ['SELECT * FROM things ORDER BY id', []],
      ['SELECT count(*)::int AS n, max(size) FROM things WHERE id > $1 AND name IS NOT NULL', [2]],
      ['SELECT id FROM things WHERE id = ANY($1::int[]) ORDER BY id', [[1, 3, 9]]],
      ['SELECT id FROM things WHERE at < $1 ORDER BY id', [new Date(3000)]],
      ['UPDATE things SET flag = $1 WHERE id < $2', [true, 4]],
      ['WITH gone AS (DELETE FROM things WHERE id = $1 RETURNING *) SELECT name, data FROM gone', [5]],
      ['SELECT 1 AS one WHERE false', []],
    ]
    for (const rowMode of ['object', 'array'] as const) {
      for (const [statement, params] of statements) {
        const [ours, theirs] = [
          await prepared.query(statement, params, { rowMode }),
          await plain.query(statement, params, { rowMode }),
        ]
        expect(ours.rows, statement).toEqual(theirs.rows)
        expect(ours.fields, statement).toEqual(theirs.fields)
        expect(ours.affectedRows, statement).toBe(theirs.affectedRows)
      }
    }
    const parsers = { 1184: (text: string) => `raw ${text}` }
    const read = { parsers }
    expect((await prepared.query('SELECT at FROM things WHERE id = 1', [], read)).rows).toEqual(
      (await plain.query('SELECT at FROM things WHERE id = 1', [], read)).rows,
    )
  })

  test('fail with the database`s code, and the next one works', async () => {
    await expect(prepared.query(INSERT, row(1))).rejects.toMatchObject({
      code: '23505',
      constraint: 'things_pkey',
    })
    await expect(prepared.query('SELECT nothing FROM nowhere')).rejects.toMatchObject({ code: '42P01' })
    await expect(prepared.query('SELECT id FROM things WHERE id = $1', ['no number'])).rejects.toMatchObject({
      code: '22P02',
    })
    expect((await prepared.query('SELECT id FROM things WHERE id = $1', [1])).rows).toEqual([{ id: 1 }])
  })

  test('take part in transactions, which end whole or not at all', async () => {
    await prepared.transaction(async (tx) => {
      await tx.query(INSERT, row(21))
      expect((await tx.query('SELECT id FROM things WHERE id = $1', [21])).rows).toHaveLength(1)
    })
    const failing = prepared.transaction(async (tx) => {
      await tx.query(INSERT, row(22))
      await tx.query(INSERT, row(21))
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect((await prepared.query('SELECT id FROM things WHERE id IN (21, 22)')).rows).toEqual([{ id: 21 }])
    let late: Promise<unknown> | undefined
    await prepared.transaction(async (tx) => {
      late = Promise.resolve()
        .then(() => new Promise((resolve) => setTimeout(resolve, 20)))
        .then(() => tx.query('SELECT 1'))
    })
    await expect(late).rejects.toThrow('closed')
  })

  test('wait for a transaction and do not see its half', async () => {
    const seen: unknown[] = []
    const transaction = prepared.transaction(async (tx) => {
      await tx.query(INSERT, row(31))
      await new Promise((resolve) => setTimeout(resolve, 50))
      await tx.query(INSERT, row(32))
    })
    const reads = Array.from({ length: 5 }, async () => {
      seen.push((await prepared.query('SELECT count(*)::int AS n FROM things WHERE id IN (31, 32)')).rows)
    })
    await Promise.all([transaction, ...reads])
    for (const rows of seen) expect([[{ n: 0 }], [{ n: 2 }]]).toContainEqual(rows)
  })

  test('are bounded in number, and a forgotten one is prepared again', async () => {
    for (let index = 0; index < 350; index++) await prepared.query(`SELECT ${index} AS n`)
    const { rows } = await prepared.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM pg_prepared_statements',
    )
    expect(rows[0]?.n).toBeLessThanOrEqual(301)
    expect((await prepared.query('SELECT 0 AS n')).rows).toEqual([{ n: 0 }])
  })

  test('outlive a change of their table', async () => {
    const read = () => prepared.query('SELECT * FROM changing')
    await prepared.exec('CREATE TABLE changing (a int); INSERT INTO changing VALUES (1)')
    expect((await read()).rows).toEqual([{ a: 1 }])
    await prepared.exec('ALTER TABLE changing ADD b int')
    await expect(read()).rejects.toMatchObject({ code: '0A000' })
    expect((await read()).rows).toEqual([{ a: 1, b: null }])
  })
})
