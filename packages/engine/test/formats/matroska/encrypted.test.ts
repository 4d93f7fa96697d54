import { expect, it } from 'vitest'
import * as ids from '../../../src/formats/matroska/ids.ts'
import { matroska } from '../../../src/formats/matroska/index.ts'
import { headLost } from '../../../src/formats/matroska/recipes.ts'
import { element, unsigned } from '../../../src/syntax/ebml/write.ts'
import { fixtureOf } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { remade } from './support/remade.ts'

/** ContentEncodingType of encryption, RFC 9559 §5.1.4.1.31.4. */
const ENCRYPTION = 1
const encodings = element(
  ids.CONTENT_ENCODINGS,
  element(ids.CONTENT_ENCODING, unsigned(ids.CONTENT_ENCODING_TYPE, ENCRYPTION)),
)
const whole = await remade(fixtureOf(matroska, 'mkv-h264-aac'), {
  entries: (own) =>
    own.map((entry) =>
      element(
        ids.TRACK_ENTRY,
        entry.subarray(entry.findIndex((byte, i) => byte === ids.TRACK_NUMBER && i > 0)),
        encodings,
      ),
    ),
  stored: (_, frame) => frame.map((byte, i) => (byte ^ (i * 73)) & 0xff),
})

it.each([
  ['cut off', whole.slice(0, -9_000), undefined],
  ['without its head, beside a sample that is encrypted, too', headLost(whole), whole],
])('an encrypted film %s is refused in a sentence', async (_, damaged, sample) => {
  const { report, bytes } = await repairRecording(damaged, 'mkv', sample)
  expect(report.verdict).toBe('unrepairable')
  expect(report.reason).toMatch(/^[^.]*encrypted[^.]*\.$/)
  expect(bytes).toHaveLength(0)
})
