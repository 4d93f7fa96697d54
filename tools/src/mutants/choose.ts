import { execFileSync } from 'node:child_process'
import type { Fault } from './faults.ts'

/** Lines of the project's files that differ from a commit, from 1. */
export type ChangedLines = ReadonlyMap<string, ReadonlySet<number>>

/** `count` faults drawn at random, always the same ones for a seed, in the order of their places. */
export function sampleOf(faults: readonly Fault[], count: number, seed: number): Fault[] {
  const keyed = faults.map((fault, index) => ({ fault, index, key: mix(seed, index) }))
  keyed.sort((a, b) => a.key - b.key || a.index - b.index)
  return keyed
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({ fault }) => fault)
}

/** Spreads neighbouring numbers over all of 32 bits (the finaliser of MurmurHash3). */
function mix(seed: number, index: number): number {
  let hash = Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** What `git diff` against `base` names as new or changed. */
export function changedLines(root: string, base: string): ChangedLines {
  return linesOfDiff(
    execFileSync('git', ['diff', '--unified=0', '--no-color', base, '--'], { cwd: root }).toString(),
  )
}

/** Reads a unified diff without context. */
export function linesOfDiff(diff: string): ChangedLines {
  const lines = new Map<string, Set<number>>()
  let current: Set<number> | undefined
  for (const line of diff.split('\n')) {
    const file = /^\+\+\+ b\/(.*)$/.exec(line)
    if (file?.[1]) {
      current = new Set()
      lines.set(file[1], current)
    }
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (!hunk) continue
    const [first, count] = [Number(hunk[1]), Number(hunk[2] ?? 1)]
    for (let at = first; at < first + count; at++) current?.add(at)
  }
  return lines
}
