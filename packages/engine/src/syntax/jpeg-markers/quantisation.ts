/** A quantisation table; `values` in zigzag order, 1 to 65535. */
export interface QuantisationTable {
  readonly id: number
  /** Bytes of a value: 1, or 2. */
  readonly width: 1 | 2
  readonly values: Uint16Array
}

const COEFFICIENTS = 64

/** Tables of a DQT body, ITU-T T.81 §B.2.4.1; undefined when it is not one. */
export function readQuantisation(body: Uint8Array): QuantisationTable[] | undefined {
  const tables: QuantisationTable[] = []
  let at = 0
  while (at < body.length) {
    const id = body[at] & 15
    const precision = body[at] >> 4
    const width = precision === 0 ? 1 : 2
    at++
    if (id > 3 || precision > 1 || at + COEFFICIENTS * width > body.length) return undefined
    const values = new Uint16Array(COEFFICIENTS)
    for (let i = 0; i < COEFFICIENTS; i++, at += width) {
      values[i] = width === 1 ? body[at] : (body[at] << 8) | body[at + 1]
      if (values[i] === 0) return undefined
    }
    tables.push({ id, width, values })
  }
  return tables.length > 0 ? tables : undefined
}

/** The body of a DQT segment that holds `tables`. */
export function writeQuantisation(tables: readonly QuantisationTable[]): Uint8Array {
  return Uint8Array.from(
    tables.flatMap(({ id, width, values }) =>
      width === 1
        ? [id, ...values]
        : [0x10 | id, ...Array.from(values).flatMap((value) => [value >> 8, value & 0xff])],
    ),
  )
}
