import { expect, it } from 'vitest'
import { crc32 } from '../../../../src/bytes/crc32.ts'
import type { Finding } from '../../../../src/model/finding.ts'
import { repaired } from '../support/engine.ts'
import { type FixtureName, fixture } from '../support/fixtures.ts'
import { hurt } from '../support/hurt.ts'

/*
 * Recordings hit by lot in their index, their payload or both, repaired beside no sample, one of the same camera, or another. What becomes of
 * each is held: whoever changes that on purpose lets the test runner write it anew (`--update=all`); that it is right is the matter of others.
 */

/** Draws of `hurt`, chosen of 1,700: each runs something of `ways/` that those before it do not, or runs it otherwise. */
const CHOSEN = `
  1 2 12 19 40 41 51 70 73 79 84 117 130 134 137 154 155 168 180 186
  205 209 219 221 224 231 240 243 244 246 253 257 258 275 323 328 354 355 361 400
  402 413 426 427 428 430 475 492 508 514 523 524 525 538 542 546 547 558 560 586
  589 592 607 609 611 615 629 637 645 663 669 675 677 717 742 744 752 757 765 779
  782 788 792 794 839 840 855 890 892 893 896 900 905 915 919 932 934 941 955 962
  969 979 994 1002 1010 1012 1018 1029 1046 1053 1066 1071 1079 1082 1114 1117 1131 1133 1141 1156
  1164 1177 1179 1188 1199 1211 1212 1244 1247 1253 1263 1281 1284 1298 1307 1313 1319 1322 1340 1349
  1350 1353 1376 1382 1385 1391 1394 1402 1406 1414 1418 1423 1436 1448 1463 1467 1475 1480 1487 1494
  1498 1504 1509 1521 1529 1539 1543 1566 1569 1585 1593 1603 1605 1606 1608 1617 1651 1656 1666 1687
  1689
`

function saidOf({ code, severity, message }: Finding): string {
  return [code, severity, message].join(' ')
}

/** What becomes of a film: verdict, doubts, tracks, and checksums of the result and of what is said of it. */
async function becomes(film: Uint8Array, beside: FixtureName | undefined): Promise<string> {
  const { report, bytes } = await repaired(film, beside && fixture(beside))
  const tracks = report.tracks.map(
    ({ codec, recovered, damaged, lost, times }) =>
      `${codec} ${recovered}/${damaged}/${lost}${times === 'exact' ? '' : ' ~'}`,
  )
  const doubts = (report.doubts ?? []).map(({ code }) => code).join(' ')
  const said = [...report.strategies.map(({ outcome }) => outcome), ...report.findings.map(saidOf)].join()
  const output = bytes.length > 0 ? crc32(bytes).toString(16) : '-'
  const line = [report.verdict, doubts, tracks.join(', '), output, crc32(Buffer.from(said)).toString(16)]
  return line.join(' | ').replace(/[^ -~]/g, '.')
}

it('films hurt by lot become what they became', async () => {
  const told: string[] = []
  for (const seed of CHOSEN.trim().split(/\s+/)) {
    const { name, film, beside } = hurt(Number(seed))
    told.push(`${seed} ${name} + ${beside ?? '-'} | ${await becomes(film, beside)}`)
  }
  await expect(told.join('\n')).toMatchFileSnapshot('drawn/chosen.txt')
})
