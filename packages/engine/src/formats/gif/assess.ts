import type { Limits } from '../../bytes/limits.ts'
import { readWhole } from '../../bytes/read-whole.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { readGifLzw } from '../../codecs/lzw/gif-lzw.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { finding } from './findings.ts'
import { streamOf } from './read/blocks.ts'
import { type Head, readHead } from './read/header.ts'
import { controlsOf, type ExtensionBlock, type ImageBlock, type Walk, walk } from './read/walk.ts'

/** A file read as far as it can be. */
export interface Assessment {
  readonly findings: Findings
  readonly bytes: Uint8Array
  readonly head: Head
  readonly walk: Walk
  readonly images: readonly ImageBlock[]
  readonly controls: ReturnType<typeof controlsOf>
}

/** Reads a file block by block and holds each image's data against its size. @throws LimitError */
export async function assess(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<Assessment> {
  const findings = new Findings(limits.findings)
  const bytes = readWhole(reader, limits)
  const head = readHead(bytes)
  const found = await walk(bytes, head.blocks, monitor, head.screen)
  const images = found.blocks.filter((block) => block.kind === 'image')
  if (!head.signature) findings.add(finding('signature', 'the signature was hit or is missing', 0))
  if (!head.screen || !head.flags)
    findings.add(finding('screen', 'the logical screen was hit or is missing', 0))
  const coloured = images.length > 0 && images.every(({ descriptor }) => descriptor.table > 0)
  const controls = controlsOf(found.blocks)
  const plain =
    head.dark &&
    images.length > 0 &&
    images.every((image) => isOfOneColour(bytes, image, clearOf(bytes, controls.get(image))))
  if (
    (!head.table && !coloured && !plain) ||
    (head.table?.length === 0 && images.length > 0 && !coloured && !(head.signature && head.flags))
  )
    findings.add(finding('table', 'there are no colours', Math.min(13, bytes.length)))
  for (const block of found.blocks) {
    if (block.kind === 'junk') findings.add(finding('junk', 'bytes that belong to no block', block.offset))
    else if (block.kind === 'extension') {
      if (!block.closed) findings.add(finding('truncated', 'an extension breaks off', block.offset))
    } else if (block.state === 'chain')
      findings.add(finding('chain', 'the length of a sub-block was hit', block.offset))
    else if (block.state === 'broken') {
      const { read, descriptor } = block
      const wanted = descriptor.width * descriptor.height
      findings.add(finding('data', `${read.pixels} of ${wanted} pixels can be read`, block.offset))
    }
  }
  if (images.length === 0) findings.add(finding('noPicture', 'there is no image'))
  if (!found.ended) findings.add(finding('trailer', 'the file ends without its trailer', bytes.length))
  else if (found.end < bytes.length)
    findings.add(finding('trailing', `${bytes.length - found.end} bytes behind the trailer`, found.end))
  return { findings, bytes, head, walk: found, images, controls }
}

/** Pixels of a picture that are looked at. */
const MOST_PIXELS = 1 << 22

/** The pixel value that shows nothing, GIF89a §23; undefined where none is named. */
function clearOf(bytes: Uint8Array, control: ExtensionBlock | undefined): number | undefined {
  return control && (bytes[control.offset + 3] & 1) === 1 ? bytes[control.offset + 6] : undefined
}

/** Whether all pixels of a picture but those of value `clear` are the same, so that colours that are all black may be its own. */
function isOfOneColour(
  bytes: Uint8Array,
  { descriptor, segments, state, read }: ImageBlock,
  clear: number | undefined,
): boolean {
  if (state !== 'right' || read.pixels > MOST_PIXELS) return false
  const pixels = new Uint8Array(read.pixels)
  readGifLzw(streamOf(bytes, segments), descriptor.codeSize, read.pixels, pixels)
  const shown = pixels.find((pixel) => pixel !== clear)
  return pixels.every((pixel) => pixel === shown || pixel === clear)
}
