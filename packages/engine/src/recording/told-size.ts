import type { TrackKind } from '../model/report.ts'

/** Codecs whose pictures say how large they are, or have as many bytes as their size demands. */
const TELLING: ReadonlySet<string> = new Set([
  ...['h264', 'hevc', 'mpeg4', 'mpeg1video', 'mpeg2video', 'h263', 'flv1', 'vp8', 'vp9', 'av1', 'vc1'],
  ...['mjpeg', 'dv', 'prores', 'dnxhd', 'cinepak', 'rawvideo'],
])

/** Whether nothing in some pictures tells how large they are: then a size that another recording lends them is a guess. */
export function isSizeUntold(
  streams: readonly { readonly kind: TrackKind; readonly codec: string }[],
): boolean {
  return streams.some(({ kind, codec }) => kind === 'video' && !TELLING.has(codec))
}
