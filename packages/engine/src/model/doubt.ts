/** What may keep a repair from being complete: a fact with a stable name, and the sentence that says it. */
export interface Doubt {
  /** Stable name; the web may say known ones in its own words. */
  readonly code: string
  /** One plain English sentence. */
  readonly message: string
}

/** Every doubt the engine knows, whatever the file's format. A format with one of its own adds it here. */
export const DOUBT = {
  indexCut: {
    code: 'index-cut',
    message: 'The index breaks off: it may have named more than was found.',
  },
  indexHit: {
    code: 'index-hit',
    message: 'The index was hit, and nothing proves that it still names all that is there.',
  },
  indexLossy: {
    code: 'index-lossy',
    message: 'Hits in the index cost much of a track, which may survive unseen.',
  },
  unexplained: {
    code: 'unexplained',
    message: 'Parts of the media data belong to nothing that was found.',
  },
  missing: { code: 'missing', message: 'A track of the recording was not found.' },
  further: {
    code: 'further',
    message: 'Tracks that the sample does not have were found by their bytes alone.',
  },
  encrypted: { code: 'encrypted', message: 'Encrypted tracks without their index were left out.' },
  noneWhole: {
    code: 'none-whole',
    message: 'Of a track nothing is whole: its pictures or sound may lie elsewhere.',
  },
  ends: {
    code: 'ends',
    message: 'Where packets end was estimated: nothing in them tells.',
  },
  times: {
    code: 'times',
    message: 'When some pictures or sounds were recorded was estimated.',
  },
  assumed: {
    code: 'assumed',
    message: 'Facts about the recording that nothing in it tells were assumed.',
  },
  statedRate: {
    code: 'stated-rate',
    message:
      'How fast pictures play is what their own coding states: nothing else tells, and files exist that play otherwise.',
  },
  moved: {
    code: 'moved',
    message:
      'Bytes came into the media data or are gone from it, and nothing tells where: what lies behind may be out of place.',
  },
  beside: {
    code: 'beside',
    message:
      'What was stored beside pictures and sound, such as chapters or attachments, is gone, incomplete or altered.',
  },
  others: {
    code: 'others',
    message: 'Further recordings in the file have other settings and were left out.',
  },
  hits: {
    code: 'hits',
    message: 'Bits were hit between the pictures and sounds: those carry no checksums and may be hit, too.',
  },
  beginningHit: {
    code: 'beginning-hit',
    message: 'What stands right behind a header that was hit carries no checksum and may be hit, too.',
  },
  decodeErrors: {
    code: 'decode-errors',
    message: 'Decoding finds errors that no damage known accounts for.',
  },
  tornPictures: {
    code: 'torn-pictures',
    message: 'Bits inside some pictures were likely hit, though decoders show them without complaint.',
  },
  otherLook: {
    code: 'other-look',
    message: 'What decodes has another size, rate or form than its track declares.',
  },
  unchecked: {
    code: 'unchecked',
    message: 'The result could not be checked by decoding.',
  },
  areasLost: {
    code: 'areas-lost',
    message: 'Parts of the picture are gone and were filled in or left blank.',
  },
  detailLost: {
    code: 'detail-lost',
    message: 'Fine detail of the picture is gone.',
  },
  colour: {
    code: 'colour',
    message: 'Brightness or colour of parts of the picture was estimated.',
  },
  placement: {
    code: 'placement',
    message: 'Where some recovered parts of the picture belong was estimated.',
  },
  quantisation: {
    code: 'quantisation',
    message: 'How strongly the picture was compressed was estimated: contrast and colour may be off.',
  },
  size: {
    code: 'size',
    message: 'Width and height of the picture were estimated.',
  },
  orientation: {
    code: 'orientation',
    message: 'Which side of the picture is up is not known.',
  },
  previewOnly: {
    code: 'preview-only',
    message: 'The picture itself is gone: a smaller one that was stored with it takes its place.',
  },
  searchEnded: {
    code: 'search-ended',
    message:
      'The bytes would take far longer to search than those of any recording: the search ended before all was looked at.',
  },
  frames: {
    code: 'frames',
    message: 'Pictures of the animation are gone, or when they are shown is estimated.',
  },
  metadata: {
    code: 'metadata',
    message: 'What was stored beside the picture, such as its date, is gone, incomplete or altered.',
  },
} as const satisfies Readonly<Record<string, Doubt>>

/** Those doubts that hold. */
export function doubtsThat(holds: { readonly [name in keyof typeof DOUBT]?: boolean }): Doubt[] {
  return (Object.keys(holds) as (keyof typeof DOUBT)[])
    .filter((name) => holds[name])
    .map((name) => DOUBT[name])
}

/** Each doubt once, in the order in which it came up first. */
export function distinctDoubts(doubts: readonly Doubt[]): readonly Doubt[] {
  const codes = new Set<string>()
  return doubts.filter(({ code }) => codes.size < codes.add(code).size)
}
