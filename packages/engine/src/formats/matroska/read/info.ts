import type { ByteReader } from '../../../bytes/reader.ts'
import {
  type Element,
  readChildren,
  readFloat,
  readText,
  readUnsigned,
} from '../../../syntax/ebml/element.ts'
import { CRC_32, DOC_TYPE, DURATION, TIMESTAMP_SCALE, VOID } from '../ids.ts'

/** Nanoseconds of a tick where Info does not say, RFC 9559 §5.1.2.9. */
export const USUAL_SCALE = 1_000_000

/** What Info says, RFC 9559 §5.1.2. */
export interface Info {
  /** Nanoseconds of a tick. */
  readonly scale: number
  /** In ticks; undefined where there is none. */
  readonly duration: number | undefined
  /** Room was kept for a Duration that was never written: a Void, or one that says nothing. */
  readonly awaitsDuration: boolean
  /** Its children but for Duration, sums and voids, as they are stored. */
  readonly kept: readonly Uint8Array[]
}

const MOST_CHILDREN = 64
const MOST_BYTES = 65_536

/** Reads an Info element; undefined where it does not hold together. */
export function readInfo(reader: ByteReader, info: Element): Info | undefined {
  if (info.end - info.body > MOST_BYTES) return undefined
  const { children, whole } = readChildren(reader, info.body, info.end, MOST_CHILDREN)
  if (!whole) return undefined
  const scaleElement = children.find(({ id }) => id === TIMESTAMP_SCALE)
  const scale = scaleElement ? readUnsigned(reader, scaleElement) : USUAL_SCALE
  const durationElement = children.find(({ id }) => id === DURATION)
  const duration = durationElement && readFloat(reader, durationElement)
  if (!scale) return undefined
  const isStated = duration !== undefined && duration > 0 && Number.isFinite(duration)
  return {
    scale,
    duration: isStated ? duration : undefined,
    awaitsDuration: !isStated && (durationElement !== undefined || children.some(({ id }) => id === VOID)),
    kept: children
      .filter(({ id }) => id !== DURATION && id !== CRC_32 && id !== VOID)
      .map(({ offset, end }) => reader.bytes(offset, end - offset).slice()),
  }
}

/** The document type an EBML header names, RFC 8794 §11.2.4; undefined where it does not hold together. */
export function readDocType(reader: ByteReader, header: Element): string | undefined {
  const { children, whole } = readChildren(reader, header.body, header.end, MOST_CHILDREN)
  const type = children.find(({ id }) => id === DOC_TYPE)
  return whole && type ? readText(reader, type, 32) : undefined
}
