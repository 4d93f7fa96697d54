import type { RepairReport } from '@mendframe/contract'

type Finding = RepairReport['findings'][number]

/**
 * What a defect means to the person whose file it is. Keyed by the last part of the finding's code, which the container
 * families share, or by the whole code where a family means something of its own.
 */
const WORDS: Readonly<Record<string, string>> = {
  'moov-missing': 'The index that says where each frame lies was never written.',
  'moov-truncated': 'The file ends in the middle of its index.',
  'moov-unusable': 'The index of the file could not be used.',
  'moov-duplicate': 'The file holds more than one index.',
  'index-missing': 'The index that says where each frame lies was missing.',
  'index-broken': 'The index did not fit the recording.',
  'head-lost': 'The beginning of the file was lost or overwritten.',
  'header-missing': 'The description at the beginning of the file was missing.',
  'init-missing': 'The description of the recording was missing.',
  'fragments-missing': 'Parts of the recording were missing.',
  'fragment-broken': 'A part of the recording was broken.',
  'mdat-size': 'The file gave a wrong size for its recording.',
  'box-size': 'Parts of the file gave wrong sizes.',
  'box-garbage': 'Foreign bytes lay inside the structure of the file.',
  'box-missing': 'Required parts of the file were missing.',
  'table-truncated': 'The index breaks off.',
  'table-miscounted': 'The index counted wrongly.',
  'table-counts-differ': 'Parts of the index contradicted each other.',
  'bad-value': 'The file held values that cannot be.',
  'sample-past-end': 'The file was cut off: its index points beyond its end.',
  'sample-overlap': 'Frames were said to lie on top of each other.',
  'sample-outside-media': 'Frames were said to lie outside the recording.',
  'sample-mismatch': 'What lay in the file was not what the index said.',
  'payload-shift': 'Bytes were lost or added, so that everything after them had moved.',
  'durations-differ': 'Picture and sound were given different lengths.',
  'table-mended': 'Single entries of the index were wrong.',
  'sample-damaged': 'Single frames were damaged.',
  'external-data': 'Parts of the recording lie in another file.',
  empty: 'The file is empty.',
  'zero-run': 'Stretches of the file were overwritten with zeros.',
  'foreign-data': 'Data of another file lay inside the recording.',
  'trailing-data': 'Bytes that do not belong to the recording lay after its end.',
  'unindexed-media': 'The file held more of the recording than its index knew.',
  truncated: 'The file was cut off.',
  'packet-damaged': 'Single frames were damaged.',
  'start-missing': 'The beginning of the photo was lost.',
  'leading-data': 'Foreign bytes lay in front of the photo.',
  'header-broken': 'The description of the photo was broken.',
  'frame-missing': 'Size and form of the picture were lost.',
  'scan-header-missing': 'The mark was lost at which the picture begins.',
  'quantisation-missing': 'The tables of its brightness and colour were lost.',
  'huffman-missing': 'The tables were lost by which the picture is read.',
  'scan-damaged': 'Parts of the picture were overwritten, lost or moved.',
  'end-missing': 'The mark was missing at which the photo ends.',
  'no-picture': 'Nothing of the picture was found.',
  'nothing-decodes': 'Pictures or sound do not play at all.',
  'decode-errors': 'Single frames do not play as they should.',
  'torn-pictures': 'Single frames were likely hit inside.',
  'other-look': 'Picture or sound plays otherwise than the file says.',
  'wrong-extension': 'The file is of another type than its name says.',
}

/** Said where a newer engine found a defect that this page has no words for. */
const UNNAMED = 'The structure of the file was damaged.'

/** One line for each kind of defect, most serious first; defects without words are left to the table for engineers. */
export function damageInWords(findings: readonly Finding[]): readonly string[] {
  const rank = (finding: Finding) => (finding.severity === 'error' ? 0 : 1)
  const lines = [...findings]
    .filter((finding) => finding.severity !== 'info')
    .sort((a, b) => rank(a) - rank(b))
    .map((finding) => WORDS[finding.code] ?? WORDS[finding.code.slice(finding.code.indexOf('.') + 1)])
    .filter((line) => line !== undefined)
  if (lines.length === 0 && findings.some((finding) => finding.severity === 'error')) return [UNNAMED]
  return [...new Set(lines)]
}
