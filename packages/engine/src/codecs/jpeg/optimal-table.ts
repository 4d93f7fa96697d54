import type { HuffmanSpec } from '../../syntax/jpeg-markers/huffman.ts'

const LONGEST = 16
/** Lengths before they are limited: more symbols than fit 32 bits would take more MCUs than a picture has. */
const DEEPEST = 64

/**
 * The shortest code for symbols that occur `counts` times, none longer than 16 bits and none of ones alone, ITU-T T.81 Annex K.2.
 * At least one symbol must occur.
 */
export function optimalTable(kind: 0 | 1, id: number, counts: Uint32Array): HuffmanSpec {
  const present = Array.from(counts.keys()).filter((symbol) => counts[symbol] > 0)
  // one more, the rarest, takes the code of ones alone
  const nodes = [
    ...present.map((symbol) => ({ weight: counts[symbol], leaves: [symbol] })),
    { weight: 0, leaves: [-1] },
  ]
  const depth = new Map<number, number>()
  while (nodes.length > 1) {
    nodes.sort((a, b) => b.weight - a.weight || b.leaves.length - a.leaves.length)
    const [a, b] = nodes.splice(-2)
    const leaves = [...a.leaves, ...b.leaves]
    for (const leaf of leaves) depth.set(leaf, (depth.get(leaf) ?? 0) + 1)
    nodes.push({ weight: a.weight + b.weight, leaves })
  }
  const lengths = new Uint32Array(DEEPEST + 1)
  for (const length of depth.values()) lengths[Math.min(DEEPEST, length)]++
  for (let i = DEEPEST; i > LONGEST; i--) {
    while (lengths[i] > 0) {
      let j = i - 2
      while (lengths[j] === 0) j--
      lengths[i] -= 2
      lengths[i - 1]++
      lengths[j + 1] += 2
      lengths[j]--
    }
  }
  let last = LONGEST
  while (lengths[last] === 0) last--
  lengths[last]--
  const byDepth = present.sort((a, b) => (depth.get(a) ?? 0) - (depth.get(b) ?? 0) || a - b)
  return {
    kind,
    id,
    counts: Uint8Array.from(lengths.subarray(1, LONGEST + 1)),
    symbols: Uint8Array.from(byDepth),
  }
}
