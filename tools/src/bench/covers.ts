import type { StreamHashes } from '@mendframe/renderer'

/** Whether pictures are a cover, which demuxers give as a film of one packet that is shown at no time. */
export function isCover({ kind, packets }: Pick<StreamHashes, 'kind' | 'packets'>): boolean {
  const [first] = packets
  return kind === 'video' && packets.length === 1 && first?.pts === undefined && first?.dts === undefined
}
