import { expect, it } from 'vitest'
import * as ids from '../../../src/formats/matroska/ids.ts'
import { matroska } from '../../../src/formats/matroska/index.ts'
import { elementZeroed } from '../../../src/formats/matroska/recipes.ts'
import { element } from '../../../src/syntax/ebml/write.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { framesOf, remade } from './support/remade.ts'

it('what fills up space between Clusters is no fault, and is left out of what is written anew', async () => {
  const filler = element(ids.VOID, new Uint8Array(60).fill(0x5a))
  const film = await remade(fixtureOf(matroska, 'mkv-h264-aac'), { between: filler })
  expect((await repairRecording(film, 'mkv')).report.verdict).toBe('healthy')
  const { report, bytes } = await repairRecording(elementZeroed(film, ids.INFO), 'mkv')
  expect(report.verdict).not.toBe('unrepairable')
  expect(await framesOf(bytes)).toEqual(await framesOf(film))
  expect(Buffer.from(bytes).includes(filler)).toBe(false)
})
