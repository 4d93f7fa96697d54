import { expect, it } from 'vitest'
import { trailingGarbage } from '../../../src/bytes/damage.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { avi } from '../../../src/formats/avi/index.ts'
import { indexLost } from '../../../src/formats/avi/recipes.ts'
import type { Decoded } from '../../../src/model/decoder.ts'
import type { Report } from '../../../src/model/report.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'

const [{ bytes }] = fixturesOf(avi)
const LONGER = trailingGarbage(bytes, 180, 7)

async function repaired(file: Uint8Array, decoded?: Decoded): Promise<Report> {
  const decoder = decoded && { decodeDamaged: async () => decoded, decode: async () => decoded }
  return repair({
    damaged: { source: new MemorySource(file), name: 'file.avi' },
    sink: new MemorySink(),
    ...(decoder ? { decoder } : {}),
  })
}

function decoding(errors: number): Decoded {
  return { checked: true, tracks: [{ kind: 'video', codec: 'any', packets: 9, frames: 9, errors }] }
}

it('bytes behind the place where a file says that it ends are a warning where all plays in silence', async () => {
  const { verdict, findings } = await repaired(LONGER, decoding(0))
  expect(verdict).toBe('healthy')
  expect(findings.map(({ code, severity }) => [code, severity])).toEqual(
    expect.arrayContaining([['avi.foreign-bytes', 'warning']]),
  )
})

it('are taken away where decoding complains, where nobody decodes, and where more is amiss', async () => {
  expect((await repaired(LONGER, decoding(1))).verdict).toBe('repaired')
  expect((await repaired(LONGER, { checked: false, reason: 'it broke off' })).verdict).toBe('repaired')
  expect((await repaired(LONGER)).verdict).toBe('repaired')
  expect((await repaired(trailingGarbage(indexLost(bytes), 180, 7), decoding(0))).verdict).not.toBe('healthy')
})
