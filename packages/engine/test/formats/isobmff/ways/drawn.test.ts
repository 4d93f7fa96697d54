import { expect, it } from 'vitest'
import { crc32 } from '../../../../src/bytes/crc32.ts'
import type { Finding } from '../../../../src/model/finding.ts'
import { repaired } from '../support/engine.ts'
import { hurt } from '../support/hurt.ts'

/*
 * Recordings hit by lot in their index, their payload or both, repaired beside no sample, one of the same camera, or another.
 * What becomes of each is held: whoever changes that on purpose lets the test runner write it anew (`--update=all`); that it is
 * right is the matter of others.
 */

/**
 * Draws of `hurt`, `c` those of changed films, chosen of 2,120: each runs something of `ways/` that those before it do not, or
 * runs it otherwise.
 */
const CHOSEN = `
  8c 19c 19 22c 24c 46c 47c 65c 68c 69c 70 75c 90c 91c 92c 105c 117 120c 123c 130
  131c 132c 134c 134 137 137c 144c 154c 154 155 159c 163c 165c 168 172c 177c 180 182c 186 186c
  193c 202c 205 208c 209 213c 216 216c 219 224 232c 236c 240 243c 243 244 248c 253 256c 258
  258c 275 276c 289c 293c 305c 323 333c 338c 339c 353c 354 355 361 363c 364c 368c 373c 374c 381c
  390c 395c 396c 399c 400c 400 402 409c 413 426 427 428 475 492 508 510 523 524 525 542
  546 547 550 558 586 589 592 607 609 611 615 629 637 645 657 677 717 742 744 752
  757 759 765 779 792 839 840 855 867 875 890 892 893 896 900 905 915 934 941 955
  962 969 979 987 994 1002 1010 1012 1018 1029 1046 1066 1079 1082 1114 1131 1133 1141 1156 1164
  1177 1188 1204 1211 1212 1244 1247 1253 1281 1298 1307 1313 1319 1340 1349 1350 1353 1382 1391 1394
  1402 1406 1414 1418 1436 1448 1463 1467 1475 1480 1487 1494 1498 1504 1509 1521 1529 1539 1543 1566
  1569 1585 1593 1603 1606 1608 1617 1651 1656 1666
`

function saidOf({ code, severity, message }: Finding): string {
  return [code, severity, message].join(' ')
}

/** What becomes of a film: verdict, doubts, tracks, and checksums of the result and of what is said of it. */
async function becomes(film: Uint8Array, sample: Uint8Array | undefined): Promise<string> {
  const { report, bytes } = await repaired(film, sample)
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
    const { name, film, beside, sample } = hurt(Number.parseInt(seed, 10), seed.endsWith('c'))
    told.push(`${seed} ${name} + ${beside ?? '-'} | ${await becomes(film, sample)}`)
  }
  await expect(told.join('\n')).toMatchFileSnapshot('drawn/chosen.txt')
})
