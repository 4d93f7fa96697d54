import { describe, expect, it } from 'vitest'
import { SampleTable } from '../../src/model/sample-table.ts'
import { bytesIn, explainsAsMuch, takeFirst, type Way } from '../../src/recording/ways.ts'

type Made = { readonly by: string }

function ways(
  tried: string[],
  results: Readonly<Record<string, Made | { reason: string } | undefined>>,
): Way<Made>[] {
  return Object.entries(results).map(([name, result]) => async () => {
    tried.push(name)
    return result
  })
}

describe('of several ways', () => {
  it('the first that makes anything is taken, and none behind it is tried', async () => {
    const tried: string[] = []
    const all = ways(tried, {
      index: undefined,
      sample: { reason: 'another camera' },
      bytes: { by: 'bytes' },
      luck: { by: 'luck' },
    })
    expect(await takeFirst(all, 'nothing')).toEqual({ by: 'bytes' })
    expect(tried).toEqual(['index', 'sample', 'bytes'])
  })

  it('that all make nothing the first reason is told, and another one where none has any', async () => {
    const all = ways([], {
      index: undefined,
      sample: { reason: 'another camera' },
      bytes: { reason: 'noise' },
    })
    expect(await takeFirst(all, 'nothing')).toEqual({ reason: 'another camera' })
    expect(await takeFirst(ways([], { index: undefined }), 'nothing')).toEqual({ reason: 'nothing' })
  })
})

it('the better evidence may explain a little less of the bytes, and no more than that', () => {
  const tables = [3000, 7000].map((size) => {
    const table = new SampleTable(2)
    table.push(0, size, 1, 1, 0, 0)
    return table
  })
  expect(bytesIn(tables)).toBe(10_000)
  expect([9950, 9949, 11_000].map((bytes) => explainsAsMuch(bytes, bytesIn(tables)))).toEqual([
    true,
    false,
    true,
  ])
})
