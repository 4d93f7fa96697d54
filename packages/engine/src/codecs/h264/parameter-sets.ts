import { type Pps, parsePps } from './pps.ts'
import type { ParameterSets } from './slice-header.ts'
import { parseSps, pictureBound, type Sps } from './sps.ts'

/** Bytes a picture is taken to have at most while no sequence parameter set is known: 16 MiB, past every camera. */
const DEFAULT_BOUND = 1 << 24

/** The parameter sets in force, by id. */
export class ParameterStore implements ParameterSets {
  readonly #sps = new Map<number, Sps>()
  readonly #pps = new Map<number, Pps>()
  /** Bytes that a picture of any known sequence cannot exceed. */
  bound = DEFAULT_BOUND

  sps(id: number): Sps | undefined {
    return this.#sps.get(id)
  }

  pps(id: number): Pps | undefined {
    return this.#pps.get(id)
  }

  addSps(sps: Sps): void {
    this.#sps.set(sps.id, sps)
    this.bound = Math.max(...[...this.#sps.values()].map(pictureBound))
  }

  addPps(pps: Pps): void {
    this.#pps.set(pps.id, pps)
  }

  /** The sets in order of their ids. */
  all(): { readonly sps: readonly Sps[]; readonly pps: readonly Pps[] } {
    const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id
    return { sps: [...this.#sps.values()].sort(byId), pps: [...this.#pps.values()].sort(byId) }
  }
}

/** What a set inside a unit is: the one already known, another one, or none that parses. */
export type SetKind = 'known' | 'new' | 'bad'

/** Parameter sets found inside one unit, in front of those in force, until the unit is accepted. */
export class PendingSets implements ParameterSets {
  readonly #store: ParameterStore
  readonly #sps: Sps[] = []
  readonly #pps: Pps[] = []

  /** A sequence parameter set inside says another picture size than the one in force: often it is another track's. */
  otherSize = false

  constructor(store: ParameterStore) {
    this.#store = store
  }

  /** Do these sets stand in front of `store`? */
  of(store: ParameterStore): boolean {
    return this.#store === store
  }

  get bound(): number {
    let bound = this.#store.bound
    for (const sps of this.#sps) bound = Math.max(bound, pictureBound(sps))
    return bound
  }

  clear(): void {
    this.otherSize = false
    // to empty what is empty costs more than to look
    if (this.#sps.length > 0) this.#sps.length = 0
    if (this.#pps.length > 0) this.#pps.length = 0
  }

  sps(id: number): Sps | undefined {
    return this.#sps.findLast((set) => set.id === id) ?? this.#store.sps(id)
  }

  pps(id: number): Pps | undefined {
    return this.#pps.findLast((set) => set.id === id) ?? this.#store.pps(id)
  }

  /** Takes in an SPS NAL unit. */
  takeSps(nal: Uint8Array): SetKind {
    const parsed = parseSps(nal)
    if (!parsed) return 'bad'
    const known = this.sps(parsed.id)
    if (known && sameBytes(known.bytes, nal)) return 'known'
    if (known && (known.width !== parsed.width || known.height !== parsed.height)) this.otherSize = true
    this.#sps.push(parsed)
    return 'new'
  }

  /** Takes in a PPS NAL unit. */
  takePps(nal: Uint8Array): SetKind {
    const parsed = parsePps(nal)
    if (!parsed) return 'bad'
    const known = this.pps(parsed.id)
    if (known && sameBytes(known.bytes, nal)) return 'known'
    this.#pps.push(parsed)
    return 'new'
  }

  /** The unit is part of the stream: its sets are in force from here on. */
  commit(): void {
    for (const set of this.#sps) this.#store.addSps(set)
    for (const set of this.#pps) this.#store.addPps(set)
    this.clear()
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
