import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Context, loadConfig } from '@mendframe/backend'

/** What was logged, by level. */
export type Lines = Record<string, unknown[][]>

/** A log that keeps its lines. */
export function keptLog(): { log: Record<string, unknown>; lines: Lines } {
  const lines: Lines = {}
  const log: Record<string, unknown> = { level: 'info', child: () => log }
  for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace']) {
    const kept: unknown[][] = []
    lines[level] = kept
    log[level] = (...line: unknown[]) => void kept.push(line)
  }
  return { log, lines }
}

type Rows = readonly object[] | (() => Promise<readonly object[]>)

/** A database that answers every question about a table with its `rows`, whatever is asked, and takes every change. */
export function stubDb(rows: Readonly<Record<string, Rows>>): object {
  const answer = (found: Rows): object =>
    new Proxy(Object, {
      get: (_target, key) => {
        const told = typeof found === 'function' && key === 'then' ? found() : Promise.resolve(found)
        return key === 'then' ? told.then.bind(told) : () => answer(found)
      },
    })
  const of = (table: object) => answer(rows[String(Reflect.get(table, Symbol.for('drizzle:Name')))] ?? [])
  const db = {
    ...{ insert: of, update: of, delete: of, $count: async () => 0 },
    ...{ select: () => ({ from: of }), selectDistinctOn: () => ({ from: of }) },
  }
  return { ...db, transaction: (work: (tx: unknown) => unknown) => work(db) }
}

/** A context of nothing but settings, a clock that stands, and what `more` brings. */
export function stubContext(more: object, settings: Record<string, string> = {}): Context {
  const config = loadConfig({ MENDFRAME_DATA: join(tmpdir(), 'mendframe-none'), ...settings })
  return {
    config,
    secret: Buffer.from('secret'),
    clock: { now: () => new Date(0) },
    ...more,
  } as unknown as Context
}
