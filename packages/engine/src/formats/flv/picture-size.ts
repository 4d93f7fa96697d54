import { parseAvcC } from '../../codecs/h264/avcc.ts'
import { parseHvcC } from '../../codecs/hevc/hvcc.ts'
import { readMediaHeader } from './read/media-header.ts'
import type { Stream } from './streams.ts'
import type { NewTag } from './write/write.ts'

/** Width and height by the pictures' configuration, where it tells. */
export function pictureSize(
  { kind, codec, header }: Stream,
  front: readonly NewTag[],
): { width?: number; height?: number } {
  const data = header ?? front.find((tag) => tag.kind === kind)?.data
  if (!data) return {}
  const config = data.subarray(readMediaHeader(kind, data).length)
  const parsed = codec === 'h264' ? parseAvcC(config) : codec === 'hevc' ? parseHvcC(config) : undefined
  const sps = parsed?.sps[0]
  return sps ? { width: sps.width, height: sps.height } : {}
}
