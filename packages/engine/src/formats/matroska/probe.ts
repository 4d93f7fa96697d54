import { ElementHeader } from '../../syntax/ebml/element.ts'
import type { InputFile, Probe } from '../format.ts'
import { lookedAt } from '../looked-at.ts'
import { CLUSTER, EBML, SEGMENT } from './ids.ts'
import { CERTAIN, Evidence } from './read/evidence.ts'
import { readDocType } from './read/info.ts'

/** Bytes looked at in the middle and at the tail, each. */
const WINDOW = 128 * 1024
/** Evidence of elements that follow each other somewhere in a file whose head says nothing. */
const FOUND = 85
/** Places tried in a window: each costs a few reads. */
const MOST_TRIED = 4096

/** Judges whether a file is Matroska or WebM: by its head, or by elements that follow each other in middle or tail. */
export function probe(file: InputFile): Probe {
  const { reader } = file
  const reasons: string[] = []
  let score = headScore(file, reasons)
  const { size } = reader
  for (const { place, from } of lookedAt(size, WINDOW, ['head', 'middle', 'quarter', 'tail'])) {
    if (score >= FOUND) break
    const at = findChain(file, from, Math.min(size, from + WINDOW))
    if (at < 0) continue
    reasons.push(`${place}: elements follow each other from ${at} on`)
    score = FOUND
  }
  return { score, reasons }
}

function headScore({ reader }: InputFile, reasons: string[]): number {
  const header = new ElementHeader()
  if (!header.read(reader, 0, reader.size)) return 0
  if (header.id === SEGMENT || header.id === CLUSTER) {
    reasons.push('head: a Segment or Cluster')
    return 60
  }
  if (header.id !== EBML) return 0
  const { offset, body, end } = header
  const type = header.size > 0 ? readDocType(reader, { id: EBML, offset, body, end }) : undefined
  reasons.push(`head: EBML of type ${type ?? 'unknown'}`)
  if (type === 'matroska' || type === 'webm') return 98
  // other documents of EBML are none of ours
  return type === undefined ? 50 : 5
}

/** The first offset in [from, to) from which on elements follow each other without doubt, or -1. */
function findChain({ reader }: InputFile, from: number, to: number): number {
  const evidence = new Evidence(reader)
  const bytes = reader.bytes(from, to - from).slice()
  let tried = 0
  for (let i = 0; i < bytes.length && tried < MOST_TRIED; i++) {
    const first = bytes[i]
    if (first !== 0x1f && first !== 0xa3 && first !== 0xa0) continue
    if (first === 0x1f && reader.u32(from + i) !== CLUSTER) continue
    tried++
    if (evidence.chain(from + i) >= CERTAIN) return from + i
  }
  return -1
}
