import { Edits } from '../../bytes/edits.ts'
import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { headMissing, noPictures, picturesLost, wrongReference } from './findings.ts'
import { type ChosenHead, chooseHead } from './mend/head.ts'
import { findHeads } from './read/heads.ts'
import { type Numbers, numberPictures } from './read/numbers.ts'
import type { CodedPicture } from './read/picture.ts'
import { wrongReferences } from './read/references.ts'
import { Walk } from './read/walk.ts'

/** All that one walk over the file tells. */
export interface Survey {
  readonly findings: Findings
  readonly edits: Edits
  readonly pictures: readonly CodedPicture[]
  readonly numbers: Numbers
  /** What is to be put in front of the first picture, which has no sequence header; undefined where it has one. */
  readonly lacking: ChosenHead | undefined
  /** Pictures whose header was hit so that they are left out. */
  readonly unheaded: number
  /** Time codes leave out numbers. */
  readonly drops: boolean
  readonly healthy: boolean
}

/** Reads every picture of a file. `sample` is a healthy one's. Never throws for damage. */
export async function survey(
  reader: ByteReader,
  sample: ByteReader | undefined,
  limits: Limits,
  monitor: Monitor,
): Promise<Survey> {
  const findings = new Findings(limits.findings)
  const edits = new Edits()
  const heads = await findHeads(reader, monitor)
  const chosen = await chooseHead(reader, heads, sample, monitor)
  let pictures: readonly CodedPicture[] = []
  let lacking: ChosenHead | undefined
  let unheaded = 0
  let drops = false
  if (chosen) {
    const walk = new Walk(reader, chosen.head, heads, findings, edits, limits.samplesPerTrack)
    await walk.run(monitor)
    pictures = walk.pictures
    unheaded = walk.unheaded
    drops = walk.drops
    if (walk.headless) lacking = chosen
  } else if (heads.usual === undefined) findings.add(headMissing())
  if (pictures.length === 0) findings.add(noPictures())
  else if (lacking) findings.add(headMissing())
  for (const { picture, reference } of wrongReferences(pictures)) {
    const { header } = picture
    findings.add(wrongReference(header, picture.reference, reference))
    edits.replace(header + 4, 2, withReference(reader.u16(header + 4), reference))
    picture.reference = reference
  }
  const numbers = numberPictures(pictures)
  for (const [i, { start }] of pictures.entries())
    if (numbers.lost[i] > 0) findings.add(picturesLost(start, numbers.lost[i]))
  return {
    findings,
    edits,
    pictures,
    numbers,
    lacking,
    unheaded,
    drops,
    healthy: findings.healthy && pictures.length > 0,
  }
}

/** The first two bytes of a picture's header with another temporal_reference, its first ten bits. */
function withReference(bytes: number, reference: number): Uint8Array {
  return Uint8Array.of(reference >> 2, ((reference & 3) << 6) | (bytes & 0x3f))
}
