import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { type Box, childOf, isCut, readBox, readChildren } from '../../syntax/iso-boxes/box.ts'
import {
  boxCut,
  briefForm,
  bytesBehind,
  fileTypeLost,
  itemBroken,
  itemsCut,
  metadataHit,
  metaLost,
  propertyBroken,
  propertyLacking,
  sequenceCut,
} from './findings.ts'
import { ItemStates, isCoded } from './read/item-states.ts'
import { lackingProperties } from './read/lacking-properties.ts'
import { looseMeta } from './read/loose-meta.ts'
import { type HeifMeta, readMeta } from './read/meta.ts'
import type { ItemState } from './read/nal-items.ts'
import { isToldWhole, type Picture, pictureOf } from './read/picture.ts'
import { claimsSequence, claimsSequenceAlone } from './read/sequence-brands.ts'

/** A file read as far as it can be, every item held against the bytes. */
export interface Assessment {
  readonly findings: Findings
  readonly fileType: Box | undefined
  readonly meta: HeifMeta | undefined
  readonly picture: Picture | undefined
  /** Nothing is missing of what tells where the picture's parts lie and how they are coded. */
  readonly toldWhole: boolean
  readonly states: ReadonlyMap<number, ItemState>
  /** Items were found elsewhere than they are told to lie. */
  readonly displaced: boolean
  /** The one box that tells all in place of `meta`, in the brief form, which is not read. */
  readonly brief: Box | undefined
  /** The last box, where nothing is wrong but that the file ends within it. */
  readonly cut: Box | undefined
  readonly healthy: boolean
}

/** Boxes at the top of a photo at most: a sequence in fragments has a few for each second. */
const MOST_BOXES = 100_000
/** Boxes that a sequence is told of in, and lies in. */
const OF_SEQUENCES: ReadonlySet<string> = new Set(['moov', 'mdat'])

/** Reads a file and holds every item against its bytes. */
export async function assess(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  const { boxes, stopped } = readChildren(reader, 0, reader.size, MOST_BOXES)
  const fileType = childOf(boxes, 'ftyp')
  // the last box may reach to the end of the file, and say so by no size: ISO/IEC 14496-12:2022 §4.2.2
  const last = readBox(reader, stopped, reader.size)
  const box = childOf(boxes, 'meta') ?? (last?.type === 'meta' ? last : undefined)
  const fits = box && !isCut(box) && box.end - box.offset <= limits.structureBytes
  const meta = (fits ? readMeta(reader, box) : undefined) ?? (fits === false ? undefined : looseMeta(reader))
  const picture = meta && pictureOf(reader, meta)
  const toldWhole = meta !== undefined && picture !== undefined && isToldWhole(reader, meta, picture)
  const states = new Map<number, ItemState>()
  let cut: Box | undefined
  if (fileType?.offset !== 0) findings.add(fileTypeLost())
  const named = meta?.named || claimsSequenceAlone(reader, fileType)
  const brief = meta === undefined ? childOf(boxes, 'mini') : undefined
  if (brief) findings.add(briefForm(brief.offset, brief.size))
  else if (!meta?.box || !toldWhole || !named) {
    const lacking = meta?.box && named && picture ? lackingProperties(meta, picture) : []
    for (const { type, item } of lacking) findings.add(propertyLacking(type, item.id))
    if (lacking.length === 0) findings.add(metaLost())
  }
  if (meta && picture) {
    const itemStates = new ItemStates(reader, meta)
    for (const item of meta.items.values()) {
      states.set(item.id, itemStates.of(item))
      await monitor.pause()
    }
    report(meta, states, reader.size, findings)
    for (const { type, offset, size } of meta.broken) findings.add(propertyBroken(type, offset, size))
    const [end] = boxes.slice(-1)
    if (end && isCut(end) && findings.healthy) {
      const ofSequence = OF_SEQUENCES.has(end.type)
      if (ofSequence && claimsSequence(reader, fileType)) findings.add(sequenceCut(reader.size))
      else if (!isTypeOfBox(end.type)) findings.add(bytesBehind(end.offset, reader.size - end.offset))
      else if (!ofSequence) {
        cut = end
        findings.add(boxCut(end.type, end.offset, end.size))
      }
    }
  }
  monitor.progress('diagnose', 1)
  return {
    findings,
    fileType,
    meta,
    picture,
    toldWhole,
    states,
    displaced: false,
    brief,
    cut,
    healthy: findings.healthy && !brief,
  }
}

/** Whether four characters may be the type of a box: all that are registered have a letter or a digit. */
function isTypeOfBox(type: string): boolean {
  return /[A-Za-z0-9]/.test(type)
}

function report(
  { items }: HeifMeta,
  states: ReadonlyMap<number, ItemState>,
  size: number,
  findings: Findings,
): void {
  const cut = [...items.values()].filter(({ id }) => states.get(id) === 'cut')
  if (cut.length > 0) {
    const first = Math.min(size, ...cut.flatMap(({ extents }) => extents.map(({ offset }) => offset)))
    findings.add(itemsCut(cut.length, first))
  }
  for (const { id, type, extents } of items.values())
    if (states.get(id) === 'broken' || states.get(id) === 'hollow')
      findings.add((isCoded(type) ? itemBroken : metadataHit)(type, id, extents[0].offset, extents[0].length))
}
