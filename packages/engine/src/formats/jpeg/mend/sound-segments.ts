import { readFrame } from '../../../syntax/jpeg-markers/frame.ts'
import { readHuffman } from '../../../syntax/jpeg-markers/huffman.ts'
import { DHT, DQT, DRI, isFrame, SOS } from '../../../syntax/jpeg-markers/markers.ts'
import { readQuantisation } from '../../../syntax/jpeg-markers/quantisation.ts'
import { readScanHeader } from '../../../syntax/jpeg-markers/scan-header.ts'
import { type Segment, segmentAt } from '../../../syntax/jpeg-markers/segments.ts'

/** A candidate segment is one whose body makes sense. */
function isSound({ marker, body }: Segment): boolean {
  if (marker === DQT) return readQuantisation(body) !== undefined
  if (marker === DHT) return readHuffman(body) !== undefined
  if (marker === SOS) return readScanHeader(body) !== undefined
  if (marker === DRI) return body.length === 2
  return isFrame(marker) && readFrame(marker, body) !== undefined
}

/** Segments kept of a file: more sound ones than this are no header's. */
const MOST_CANDIDATES = 4_096

/** Every segment of tables, frames and scans whose body makes sense, wherever it stands. */
export function soundSegments(bytes: Uint8Array): Segment[] {
  const found: Segment[] = []
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 4 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1]
    if (marker !== DQT && marker !== DHT && marker !== SOS && marker !== DRI && !isFrame(marker)) continue
    const segment = segmentAt(bytes, at)
    if (!segment || !isSound(segment)) continue
    found.push(segment)
    at = segment.end - 1
    if (found.length === MOST_CANDIDATES) break
  }
  return found
}
