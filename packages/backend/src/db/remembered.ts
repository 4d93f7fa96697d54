/** Tells of a table when something in it may have changed last; counts up. */
export interface TableWatch {
  version(table: string): number
}

/** Hears every statement of the embedded database, which nobody but this process writes. */
export class StatementWatch implements TableWatch {
  readonly #versions = new Map<string, number>()

  /** Called with each statement before it runs. */
  readonly logQuery = (statement: string): void => {
    const table = /^\s*(?:insert into|update|delete from)\s+"?(\w+)"?/i.exec(statement)?.[1]
    if (table !== undefined) this.#versions.set(table, this.version(table) + 1)
  }

  version(table: string): number {
    return this.#versions.get(table) ?? 0
  }
}

export interface Loaded<Value> {
  readonly value: Value
  /** Moment from which on the value is another one without any write. */
  readonly until?: Date
}

interface Entry<Value> extends Loaded<Value> {
  readonly versions: string
}

/** Entries kept at most; the oldest go first. */
const MOST_ENTRIES = 20_000

/**
 * Answers of the database that are asked for with every call, remembered exactly as long as their tables are not
 * written. Only where all writes can be heard: without a watch every answer is loaded.
 */
export class Remembered<Value> {
  readonly #watch: TableWatch | undefined
  readonly #tables: readonly string[]
  readonly #entries = new Map<string, Entry<Value>>()

  constructor(watch: TableWatch | undefined, tables: readonly string[]) {
    this.#watch = watch
    this.#tables = tables
  }

  async get(key: string, now: Date, load: () => Promise<Loaded<Value>>): Promise<Value> {
    const watch = this.#watch
    if (!watch) return (await load()).value
    const versions = this.#versions(watch)
    const known = this.#entries.get(key)
    if (known && known.versions === versions && !(known.until && known.until <= now)) return known.value
    const loaded = await load()
    // What was written while it was being loaded may or may not be in it.
    if (this.#versions(watch) === versions) this.#keep(key, { ...loaded, versions })
    return loaded.value
  }

  #versions(watch: TableWatch): string {
    return this.#tables.map((table) => watch.version(table)).join(' ')
  }

  #keep(key: string, entry: Entry<Value>): void {
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    if (this.#entries.size <= MOST_ENTRIES) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }
}
