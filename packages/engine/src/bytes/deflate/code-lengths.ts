/**
 * Lengths of the words of a prefix code for symbols that occur so often, 0 for those that do not; none is longer than `longest`.
 * At least two symbols get a word, so that the code is complete.
 */
export function codeLengths(counts: ArrayLike<number>, longest: number): Uint8Array {
  const lengths = new Uint8Array(counts.length)
  const used: number[] = []
  for (let symbol = 0; symbol < counts.length; symbol++) if (counts[symbol] > 0) used.push(symbol)
  for (let symbol = 0; used.length < 2; symbol++) if (!used.includes(symbol)) used.push(symbol)
  used.sort((a, b) => counts[a] - counts[b] || a - b)
  // Huffman's tree over sorted counts needs no heap: joined nodes come out in rising order
  const nodes = 2 * used.length - 1
  const weight = new Float64Array(nodes)
  const parent = new Int32Array(nodes)
  for (let i = 0; i < used.length; i++) weight[i] = Math.max(1, counts[used[i]])
  let leaf = 0
  let joined = used.length
  for (let node = used.length; node < nodes; node++) {
    for (let child = 0; child < 2; child++) {
      const takesLeaf = leaf < used.length && (joined >= node || weight[leaf] <= weight[joined])
      const taken = takesLeaf ? leaf++ : joined++
      weight[node] += weight[taken]
      parent[taken] = node
    }
  }
  const depth = new Uint16Array(nodes)
  for (let node = nodes - 2; node >= 0; node--) depth[node] = depth[parent[node]] + 1
  const ofLength = new Uint32Array(longest + 1)
  for (let i = 0; i < used.length; i++) ofLength[Math.min(longest, depth[i])]++
  shorten(ofLength, longest)
  let at = 0
  for (let length = longest; length > 0; length--)
    for (let i = 0; i < ofLength[length]; i++) lengths[used[at++]] = length
  return lengths
}

/** Lengthens shorter words until those cut to the longest have room. */
function shorten(ofLength: Uint32Array, longest: number): void {
  let taken = 0
  for (let length = 1; length <= longest; length++) taken += ofLength[length] << (longest - length)
  while (taken > 1 << longest) {
    let length = longest - 1
    while (ofLength[length] === 0) length--
    ofLength[length]--
    ofLength[length + 1] += 2
    ofLength[longest]--
    taken--
  }
}
