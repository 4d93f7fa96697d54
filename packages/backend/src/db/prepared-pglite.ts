import {
  messages,
  PGlite,
  protocol,
  type QueryOptions,
  type Results,
  type Transaction,
  types,
} from '@electric-sql/pglite'

/** Statements that are worth keeping; the rest (BEGIN, DDL, LISTEN, …) goes the library's own way. */
const KEPT = /^\s*(?:select|insert|update|delete|with)\b/i
/** Prepared statements at the same time; the one that was not used for longest gives way. */
const MOST_STATEMENTS = 300
/** PostgreSQL's code of `cached plan must not change result type`. */
const PLAN_OUTDATED = '0A000'

interface Prepared {
  readonly name: string
  readonly parameterTypes: readonly number[]
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

const { serialize } = protocol

/**
 * The embedded database with prepared statements. The library sends six messages a query and has each planned anew; here a
 * statement is prepared once, and from then on binding, execution and synchronisation go as one: an eighth of the time.
 */
export class PreparedPGlite extends PGlite {
  readonly #statements = new Map<string, Prepared>()
  #serial = 0

  override async query<T>(query: string, params?: unknown[], options?: QueryOptions): Promise<Results<T>> {
    if (!isKept(query, options)) return super.query<T>(query, params, options)
    await this._checkReady()
    return this._runExclusiveTransaction(() => this.#run<T>(query, params ?? [], options))
  }

  override transaction<T>(callback: (tx: Transaction) => Promise<T>): Promise<T> {
    return super.transaction((tx) => callback(this.#withPrepared(tx)))
  }

  /** A transaction whose queries go the same way; it holds the exclusive right already. */
  #withPrepared(tx: Transaction): Transaction {
    const query = <Row>(text: string, params?: unknown[], options?: QueryOptions): Promise<Results<Row>> => {
      if (tx.closed || !isKept(text, options)) return tx.query<Row>(text, params, options)
      return this.#run<Row>(text, params ?? [], options)
    }
    return {
      query,
      sql: tx.sql,
      exec: tx.exec,
      rollback: tx.rollback,
      listen: tx.listen,
      get closed() {
        return tx.closed
      },
    }
  }

  async #run<T>(
    text: string,
    params: readonly unknown[],
    options: QueryOptions | undefined,
  ): Promise<Results<T>> {
    return this._runExclusiveQuery(async () => {
      const prepared = this.#statements.get(text) ?? (await this.#prepare(text))
      // Used last, it is the last to give way.
      this.#statements.delete(text)
      this.#statements.set(text, prepared)
      try {
        const answer = await this.#send(
          serialize.bind({ statement: prepared.name, values: this.#serialise(prepared, params) }),
          serialize.execute({}),
        )
        return this.#read<T>(prepared, answer, options)
      } catch (error) {
        if (error instanceof messages.DatabaseError && error.code === PLAN_OUTDATED) await this.#forget(text)
        throw error
      }
    })
  }

  async #prepare(text: string): Promise<Prepared> {
    const [oldest] = this.#statements.keys()
    if (oldest !== undefined && this.#statements.size >= MOST_STATEMENTS) await this.#forget(oldest)
    const name = `mendframe_${++this.#serial}`
    const answer = await this.#send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }))
    const parameters = answer.find((message) => message instanceof messages.ParameterDescriptionMessage)
    const description = answer.find((message) => message instanceof messages.RowDescriptionMessage)
    return {
      name,
      parameterTypes: parameters?.dataTypeIDs ?? [],
      fields: description?.fields.map(({ name: field, dataTypeID }) => ({ name: field, dataTypeID })) ?? [],
    }
  }

  async #forget(text: string): Promise<void> {
    const prepared = this.#statements.get(text)
    this.#statements.delete(text)
    if (prepared) await this.#send(serialize.close({ type: 'S', name: prepared.name }))
  }

  /** Sends messages as one, with the synchronisation that ends them. @throws messages.DatabaseError */
  #send(...parts: readonly Uint8Array[]): Promise<{ readonly name: string }[]> {
    return this.execProtocolStream(Buffer.concat([...parts, serialize.sync()]), { syncToFs: false })
  }

  #serialise(prepared: Prepared, params: readonly unknown[]): (string | null)[] {
    return params.map((value, index) => {
      if (value === null || value === undefined) return null
      const type = prepared.parameterTypes[index]
      const serializer = type === undefined ? undefined : this.serializers[type]
      return String(serializer ? serializer(value) : value)
    })
  }

  #read<T>(
    prepared: Prepared,
    answer: readonly { readonly name: string }[],
    options: QueryOptions | undefined,
  ): Results<T> {
    const parsers = options?.parsers ? { ...this.parsers, ...options.parsers } : this.parsers
    const { fields } = prepared
    // Rows come as the caller asked for them; their type is his word, as with every driver.
    const results: Results<T> = { rows: [], fields: [...fields], affectedRows: 0 }
    for (const message of answer) {
      if (message instanceof messages.DataRowMessage) {
        const values = message.fields.map((value, index) =>
          types.parseType(value, fields[index]?.dataTypeID ?? 0, parsers),
        )
        const named = () => Object.fromEntries(fields.map((field, index) => [field.name, values[index]]))
        const rows: unknown[] = results.rows
        rows.push(options?.rowMode === 'array' ? values : named())
      } else if (message instanceof messages.CommandCompleteMessage) {
        results.affectedRows = affectedRows(message.text)
      }
    }
    return results
  }
}

function isKept(query: string, options: QueryOptions | undefined): boolean {
  return KEPT.test(query) && options?.blob === undefined && options?.paramTypes === undefined
}

/** Rows a command has written, from its tag: `INSERT 0 5`, `UPDATE 3`. */
function affectedRows(tag: string): number {
  const parts = tag.split(' ')
  if (!['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(parts[0] ?? '')) return 0
  const count = Number(parts.at(-1))
  return Number.isNaN(count) ? 0 : count
}
