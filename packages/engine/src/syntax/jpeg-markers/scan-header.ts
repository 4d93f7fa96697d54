/** A component of a scan and the numbers of its Huffman tables. */
export interface ScanComponent {
  readonly id: number
  readonly dc: number
  readonly ac: number
}

/** A scan header, ITU-T T.81 §B.2.3: spectral selection and successive approximation as written. */
export interface ScanHeader {
  readonly components: readonly ScanComponent[]
  readonly first: number
  readonly last: number
  readonly high: number
  readonly low: number
}

/** The scan header in a body of a start-of-scan segment; undefined when it cannot be one. */
export function readScanHeader(body: Uint8Array): ScanHeader | undefined {
  const [count] = body
  if (!(count >= 1 && count <= 4) || body.length !== 4 + 2 * count) return undefined
  const components: ScanComponent[] = []
  for (let i = 0; i < count; i++) {
    const id = body[1 + 2 * i]
    const tables = body[2 + 2 * i]
    if (tables >> 4 > 3 || (tables & 15) > 3 || components.some((other) => other.id === id)) return undefined
    components.push({ id, dc: tables >> 4, ac: tables & 15 })
  }
  const at = 1 + 2 * count
  const [first, last, bits] = body.subarray(at)
  if (first > 63 || last > 63 || bits >> 4 > 13 || (bits & 15) > 13) return undefined
  return { components, first, last, high: bits >> 4, low: bits & 15 }
}

/** The body of a start-of-scan segment. */
export function writeScanHeader({ components, first, last, high, low }: ScanHeader): Uint8Array {
  return Uint8Array.from([
    components.length,
    ...components.flatMap(({ id, dc, ac }) => [id, (dc << 4) | ac]),
    first,
    last,
    (high << 4) | low,
  ])
}
