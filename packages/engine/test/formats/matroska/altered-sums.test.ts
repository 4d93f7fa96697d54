import { expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { CLUSTER, CUES } from '../../../src/formats/matroska/ids.ts'
import { matroska } from '../../../src/formats/matroska/index.ts'
import { elementZeroed, topElements } from '../../../src/formats/matroska/recipes.ts'
import type { Decoded } from '../../../src/model/decoder.ts'
import type { Report } from '../../../src/model/report.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'

/** Identifier and size of a sum, which is the first child of what it is of: RFC 8794 §11.3.1. */
const SUM = [0xbf, 0x84]

const [{ bytes }] = fixturesOf(matroska).filter((fixture) =>
  topElements(fixture.bytes).some(
    ({ id, body }) => id === CLUSTER && SUM.every((byte, i) => fixture.bytes[body + i] === byte),
  ),
)

/** The file with another sum of its first Cluster: nothing else in it is altered. */
function otherSum(file: Uint8Array): Uint8Array {
  const result = new Uint8Array(file)
  const cluster = topElements(file).find(({ id }) => id === CLUSTER)
  expect(cluster).toBeDefined()
  if (cluster) result[cluster.body + SUM.length] ^= 1
  return result
}

async function repaired(file: Uint8Array, decoded?: Decoded): Promise<Report> {
  const decoder = decoded && { decodeDamaged: async () => decoded, decode: async () => decoded }
  return repair({
    damaged: { source: new MemorySource(file), name: 'file.mkv' },
    sink: new MemorySink(),
    ...(decoder ? { decoder } : {}),
  })
}

function decoding(errors: number): Decoded {
  return { checked: true, tracks: [{ kind: 'video', codec: 'any', packets: 9, frames: 9, errors }] }
}

it('a sum that does not hold is a warning where all plays in silence', async () => {
  const { verdict, findings } = await repaired(otherSum(bytes), decoding(0))
  expect(verdict).toBe('healthy')
  expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
    ['matroska.cluster-altered', 'warning'],
  ])
})

it('it is a fault where decoding complains, where nobody decodes, and where more is amiss', async () => {
  const verdicts = await Promise.all([
    repaired(otherSum(bytes), decoding(1)),
    repaired(otherSum(bytes), { checked: false, reason: 'it broke off' }),
    repaired(otherSum(bytes)),
    repaired(elementZeroed(otherSum(bytes), CUES), decoding(0)),
  ])
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(Array(4).fill('repaired'))
})
