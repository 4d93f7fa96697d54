import type { RepairReport } from '@mendframe/contract'

type Finding = RepairReport['findings'][number]

/**
 * What defects mean to the person whose file it is: a sentence, and the defects that it is said of. A defect is named by the
 * last part of its finding's code, which the families of formats share, or by the whole code where a family means something of
 * its own.
 */
const LINES: readonly (readonly [line: string, ...defects: string[]])[] = [
  // The file as a whole.
  ['The file is empty.', 'empty'],
  ['The file is of no type that we know.', 'unknown'],
  ['The file asks for more than a recording or photo of its length needs.', 'beyond-limits'],
  ['The file is of another type than its name says.', 'wrong-extension'],
  ['The file was cut off.', 'truncated', 'cut', 'data-cut'],
  ['The recording ends inside a picture.', 'last-picture'],
  ['The file needs more searching than its size allows: the search ended early.', 'search-ended'],
  ['The file was cut off: its index points beyond its end.', 'sample-past-end'],
  ['The recording was never finished.', 'unfinished'],
  ['Stretches of the file were overwritten with zeros.', 'zero-run', 'zeros'],
  ['Stretches of the recording were overwritten or lost.', 'hole', 'gap', 'packets-damaged', 'continuity'],
  ['Data of another file lay inside the recording.', 'foreign-data'],
  [
    'Part of another photo lay in the middle of this one. It was taken out and put behind it.',
    'foreign-picture',
  ],
  ['Further photos follow in the same file. They are kept in it.', 'further-pictures'],
  ['Bytes that belong to nothing lay in the file.', 'foreign-bytes', 'bytes-put-in'],
  ['Bytes that belong to nothing lay at the end of the file.', 'trailing', 'tail', 'foreign-tail'],
  ['Bytes that do not belong to the recording lay after its end.', 'trailing-data'],
  [
    'Bytes were lost or added, so that everything after them had moved.',
    'payload-shift',
    'bytes-moved',
    'data-shifted',
    'torn-packet',
  ],
  ['A transfer that took the file for text has changed bytes of it.', 'text-mode'],
  ['The photo is written in a brief form that we cannot read yet.', 'brief-form'],
  ['Parts of the file are encrypted.', 'encrypted', 'scrambled'],
  ['Parts of the recording lie in another file.', 'external-data'],
  ['A further recording follows in the same file.', 'further-recording'],

  // The beginning, which says what the rest is.
  ['The beginning of the file was lost or overwritten.', 'head-lost', 'head-cut'],
  [
    'The description at the beginning of the file was missing.',
    'header-missing',
    'head-missing',
    'sequence-missing',
  ],
  [
    'The description at the beginning of the file was damaged.',
    'head-damaged',
    'asf.header-damaged',
    'sequence-header',
    'mpegvideo.start-code',
  ],
  ['The description of the recording was missing.', 'init-missing', 'table-missing', 'configuration-missing'],
  ['The description of the recording was damaged.', 'section', 'configuration-damaged'],
  ['The file held parts of a track that it does not describe.', 'strange-track'],
  ['Notes that the file keeps about the recording were damaged.', 'script-broken'],

  // The index, by which players find frames.
  ['The index that says where each frame lies was never written.', 'moov-missing'],
  ['The index that says where each frame lies was missing.', 'index-missing', 'cues-missing'],
  ['The file ends in the middle of its index.', 'moov-truncated'],
  ['The index of the file could not be used.', 'moov-unusable', 'table-compressed-broken', 'table-limit'],
  ['The file holds more than one index.', 'moov-duplicate'],
  [
    'The index did not fit the recording.',
    'index-broken',
    'index-beyond',
    'index-differs',
    'index-incomplete',
    'index-wrong',
    'cues-wrong',
    'seek-wrong',
  ],
  ['The index breaks off.', 'table-truncated', 'index-cut'],
  ['The index counted wrongly.', 'table-miscounted', 'count-wrong'],
  ['Parts of the index contradicted each other.', 'table-counts-differ'],
  ['Single entries of the index were wrong.', 'table-mended'],
  ['The file held more of the recording than its index knew.', 'unindexed-media'],
  ['What lay in the file was not what the index said.', 'sample-mismatch'],
  ['Frames were said to lie on top of each other.', 'sample-overlap'],
  ['Frames were said to lie outside the recording.', 'sample-outside-media'],

  // What holds the recording together.
  ['The file gave a wrong size for its recording.', 'mdat-size', 'segment-size'],
  [
    'Parts of the file gave wrong sizes.',
    'box-size',
    'size-wrong',
    'riff-size',
    'packet-length',
    'cluster-size',
    'chunk-size-hit',
    'file-size',
    'file-size-wrong',
    'image-size-wrong',
    'payload-size',
    'trailer-wrong',
  ],
  ['Foreign bytes lay inside the structure of the file.', 'box-garbage'],
  ['Required parts of the file were missing.', 'box-missing'],
  ['The file held values that cannot be.', 'bad-value'],
  [
    'The file uses something that we do not support.',
    'unsupported',
    'unsupported-coding',
    'unsupported-process',
  ],
  [
    'Parts of the recording were missing.',
    'fragments-missing',
    'pictures-lost',
    'sectors-missing',
    'packs-missing',
  ],
  ['Parts of the recording stood in the file twice.', 'sector-doubled', 'pack-doubled'],
  ['A part of the recording was broken.', 'fragment-broken', 'element-broken', 'sector'],
  [
    'Labels inside the file, which say what comes next, were damaged.',
    'header',
    'header-damaged',
    'chunk-header',
    'chunk-head-hit',
    'chunk-type-hit',
    'packet-header',
    'payload-header',
    'pes-header',
  ],

  // Times.
  [
    'Times that the file gives to picture or sound were wrong.',
    'time-wrong',
    'time-stamp',
    'block-time',
    'cluster-time',
    'arrival-time',
    'clock',
    'clock-jump',
    'clock-restart',
  ],
  ['Picture and sound were given different lengths.', 'durations-differ'],
  ['The file gave a wrong length for the recording.', 'duration-wrong', 'length-wrong'],
  ['The file did not say how long the recording is.', 'duration-missing'],

  // Picture and sound themselves.
  [
    'Nothing of the recording was found.',
    'no-media',
    'no-packs',
    'no-packets',
    'no-pictures',
    'avi.data-missing',
  ],
  ['The mark was missing at which the recording begins.', 'data-missing'],
  ['Pictures or sound do not play at all.', 'nothing-decodes'],
  [
    'Single frames were damaged.',
    'sample-damaged',
    'packet-damaged',
    'unit-hit',
    'block-hit',
    'media-damaged',
    'object-broken',
    'sound-header',
    'pes-torn',
    'slice',
    'lone-slices',
    'short-picture',
    'reference',
  ],
  ['Bytes of the recording were altered, and nothing shows which.', 'cluster-altered'],
  ['Notes that the file keeps beside the recording were edited or altered.', 'element-altered'],
  ['Single frames do not play as they should.', 'decode-errors'],
  ['Single frames were likely hit inside.', 'torn-pictures'],
  ['Picture or sound plays otherwise than the file says.', 'other-look'],
  ['The result could not be opened here to check it.', 'not-checked'],

  // The sample.
  ['The sample is of another format than the damaged file, so it could not be used.', 'other-format'],
  ['The sample was recorded with other settings than the damaged file.', 'other-settings'],

  // Photos.
  ['The beginning of the photo was lost.', 'start-missing'],
  [
    'The beginning of the photo, which says what it is, was lost or damaged.',
    'header-lost',
    'file-header-hit',
    'file-type-lost',
    'signature-lost',
    'header-hit',
    'features',
  ],
  ['Foreign bytes lay in front of the photo.', 'leading-data'],
  ['The description of the photo was broken.', 'header-broken'],
  ['Size and form of the picture were lost.', 'frame-missing', 'screen-lost'],
  ['The mark was lost at which the picture begins.', 'scan-header-missing'],
  [
    'What says where the picture lies in the file was lost or damaged.',
    'directory-lost',
    'no-directory',
    'sections-lost',
    'meta-lost',
    'movie-lost',
    'track-misplaced',
    'pixel-offset-wrong',
    'values-cut',
    'units-missing',
    'fields-lost',
    'places-lost',
  ],
  ['The tables of its brightness and colour were lost.', 'quantisation-missing'],
  ['The tables of its brightness and colour were damaged.', 'quantisation-damaged'],
  ['The tables were lost by which the picture is read.', 'huffman-missing'],
  ['What readers must know of the picture, its size or its coding, was missing.', 'property-lacking'],
  ['The list of its colours was lost or damaged.', 'palette-lost', 'colours-lost', 'colours-wrong'],
  [
    'Parts of the picture were overwritten, lost or moved.',
    'scan-damaged',
    'data-broken',
    'data-hit',
    'data-checksum-wrong',
    'raw-hit',
    'code-hit',
    'jpeg-hit',
    'track-hit',
    'item-broken',
    'unit-broken',
    'sub-blocks-hit',
  ],
  [
    'A further picture in the file, another view of the photo or a smaller one of it, was damaged.',
    'further-damaged',
  ],
  ['Parts of the file were altered: their checksums fail.', 'checksum-wrong'],
  ['The transparency of the picture was damaged.', 'transparency-hit'],
  ['What says how the animation is shown was damaged.', 'animation-hit', 'frame-hit'],
  ['What the camera noted about the photo was damaged.', 'metadata-hit', 'facts-hit', 'blocks-hit'],
  ['The mark was missing at which the photo ends.', 'end-missing', 'trailer-missing'],
  ['What stood behind the picture breaks off.', 'bmp.end-missing'],
  ['There is more in the file than the picture needs, perhaps in its midst.', 'length-unclear'],
  ['Nothing of the picture was found.', 'no-picture'],
]

const WORDS: ReadonlyMap<string, string> = new Map(
  LINES.flatMap(([line, ...defects]) => defects.map((defect) => [defect, line] as const)),
)

/** Said where a newer engine found a defect that this page has no words for. */
const UNNAMED = 'The structure of the file was damaged.'

/** The sentence for a finding's code, if there is one. */
export function lineOfCode(code: string): string | undefined {
  return WORDS.get(code) ?? WORDS.get(code.slice(code.indexOf('.') + 1))
}

/** One line for each kind of defect, most serious first; defects without words are left to the table for engineers. */
export function damageInWords(findings: readonly Finding[]): readonly string[] {
  const rank = (finding: Finding) => (finding.severity === 'error' ? 0 : 1)
  const lines = [...findings]
    .filter((finding) => finding.severity !== 'info')
    .sort((a, b) => rank(a) - rank(b))
    .map(({ code }) => lineOfCode(code))
    .filter((line) => line !== undefined)
  if (lines.length === 0 && findings.some((finding) => finding.severity === 'error')) return [UNNAMED]
  return [...new Set(lines)]
}
