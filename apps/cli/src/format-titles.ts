/** Names of formats where people say something else than the engine does. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['unknown', 'of no kind that is known'],
  ['isobmff', 'MP4 or a relative of it'],
  ['mpegps', 'MPEG program stream'],
  ['mpegts', 'MPEG transport stream'],
  ['mpegvideo', 'MPEG pictures in no container'],
  ['matroska', 'Matroska or WebM'],
  ['heif', 'HEIC, HEIF or AVIF'],
  ['tiff', 'TIFF or a raw photo built as one'],
])

/** What a person calls the format that the engine names; its own name in capitals (`AVI`) where that is the common one. */
export function formatTitle(format: string): string {
  return TITLES.get(format) ?? format.toUpperCase()
}
