import type { Finding, Severity } from '../../model/finding.ts'

/** Edition cited by every clause of this family. */
const STANDARD = 'ISO/IEC 14496-12:2022'

function finding(
  code: string,
  severity: Severity,
  message: string,
  clause: string | undefined,
  offset?: number,
  length?: number,
): Finding {
  return {
    code: `isobmff.${code}`,
    severity,
    message,
    ...(offset === undefined ? {} : { offset }),
    ...(length === undefined ? {} : { length }),
    ...(clause === undefined ? {} : { clause: `${STANDARD} §${clause}` }),
  }
}

/** There is neither a movie box nor a fragment: nothing says where samples lie. */
export function moovMissing(size: number): Finding {
  return finding('moov-missing', 'error', `no movie box in ${size} bytes`, '8.2.1')
}

/** The movie box starts but the file ends within it. */
export function moovTruncated(offset: number, declared: number, present: number): Finding {
  return finding(
    'moov-truncated',
    'error',
    `movie box of ${declared} bytes, ${present} present`,
    '8.2.1',
    offset,
    present,
  )
}

/** More than one movie box; the standard allows exactly one. */
export function moovDuplicate(offset: number, length: number): Finding {
  return finding('moov-duplicate', 'warning', 'a further movie box', '8.2.1', offset, length)
}

/** A movie box was found, but no track in it describes samples. */
export function moovUnusable(offset: number, length: number, why: string): Finding {
  return finding('moov-unusable', 'error', `movie box cannot be used: ${why}`, '8.2.1', offset, length)
}

/** A media data box whose size does not agree with what follows. */
export function mdatSize(offset: number, declared: number, actual: number): Finding {
  return finding(
    'mdat-size',
    'error',
    `media data box declares ${declared} bytes, ${actual} found`,
    '8.1.1',
    offset,
    actual,
  )
}

/** A box whose size is impossible where it stands. */
export function boxSize(
  type: string,
  offset: number,
  declared: number,
  available: number,
  clause = '4.2',
): Finding {
  return finding(
    'box-size',
    'error',
    `box '${type}' declares ${declared} bytes, ${available} available`,
    clause,
    offset,
    available,
  )
}

/** Bytes inside a structure that are no box. */
export function boxGarbage(offset: number, length: number, where: string): Finding {
  return finding('box-garbage', 'error', `${length} bytes in ${where} are no box`, '4.2', offset, length)
}

/** A mandatory box of a track or movie is missing. */
export function boxMissing(type: string, where: string, offset: number, clause: string): Finding {
  return finding('box-missing', 'error', `${where} has no '${type}'`, clause, offset)
}

/** A table declares more entries than its bytes hold. */
export function tableTruncated(
  type: string,
  offset: number,
  declared: number,
  held: number,
  clause: string,
): Finding {
  return finding(
    'table-truncated',
    'error',
    `'${type}' declares ${declared} entries, ${held} present`,
    clause,
    offset,
  )
}

/** A table declares fewer entries than its bytes hold. */
export function tableMiscounted(
  type: string,
  offset: number,
  declared: number,
  held: number,
  clause: string,
): Finding {
  return finding(
    'table-miscounted',
    'error',
    `'${type}' declares ${declared} entries, its size holds ${held}`,
    clause,
    offset,
  )
}

/** A compressed movie box that breaks off, does not agree with its checksum or is not of the size it tells. */
export function compressedMovieBroken(
  offset: number,
  length: number,
  declared: number,
  inflated: number,
): Finding {
  return finding(
    'table-compressed-broken',
    'error',
    `compressed movie box of ${declared} bytes, ${inflated} inflated, not as they were written`,
    undefined,
    offset,
    length,
  )
}

/** Two tables of a track speak of different numbers of samples. */
export function tableCountsDiffer(track: number, what: string, clause: string): Finding {
  return finding('table-counts-differ', 'warning', `track ${track}: ${what}`, clause)
}

/** The code of what tables that were hit are told by. */
export const TABLE_MENDED = 'isobmff.table-mended'

/** A flipped bit in a table that the other tables betrayed. */
export function tableMended(track: number, type: string, was: number, is: number): Finding {
  return finding('table-mended', 'error', `track ${track}: ${was} in '${type}' must be ${is}`, '8.5.1')
}

/** A flipped bit in a header of the movie box that what lies around it betrayed. */
export function headerMended(offset: number, was: string, is: string): Finding {
  return finding('table-mended', 'error', `${was} must be ${is}`, '4.2', offset)
}

/** A value that the standard forbids, mended on reading. */
export function badValue(
  type: string,
  offset: number,
  what: string,
  clause: string,
  severity: Severity = 'warning',
): Finding {
  return finding('bad-value', severity, `'${type}': ${what}`, clause, offset)
}

/** The tables ask for more samples than a limit allows. */
export function tableLimit(track: number, limit: number): Finding {
  return finding('table-limit', 'error', `track ${track}: more than ${limit} samples`, '8.7.3')
}

/** Index entries that point past the end of the file: a truncated file, or one whose samples were never written. */
export function samplesPastEnd(track: number, count: number, offset: number): Finding {
  return finding(
    'sample-past-end',
    'error',
    `track ${track}: ${count} samples lie past the end of the file`,
    '8.7.5',
    offset,
  )
}

/** Samples that overlap each other all over the file: their sizes or places are wrong altogether. */
export function claimsTooMuch(track: number, fileSize: number): Finding {
  return finding(
    'bad-value',
    'error',
    `track ${track}: its samples claim several times the ${fileSize} bytes of the file`,
    '8.7.3',
  )
}

/** Index entries that point into a structure instead of media data. */
export function samplesOutsideMedia(track: number, count: number, offset: number): Finding {
  return finding(
    'sample-outside-media',
    'warning',
    `track ${track}: ${count} samples lie in the file's structures`,
    '8.7.5',
    offset,
  )
}

/** Neighbouring samples whose bytes are no unit of their codec. */
export function samplesMismatch(
  track: number,
  codec: string,
  first: number,
  count: number,
  offset: number,
  length: number,
): Finding {
  const which = count === 1 ? `sample ${first + 1} is` : `samples ${first + 1} to ${first + count} are`
  return finding('sample-mismatch', 'error', `track ${track}: ${which} not ${codec}`, '8.7.1', offset, length)
}

/** Neighbouring samples that hold bytes impossible for their codec: zeroed or overwritten stretches. */
export function samplesDamaged(
  track: number,
  codec: string,
  first: number,
  count: number,
  offset: number,
  length: number,
): Finding {
  const which = count === 1 ? `sample ${first + 1} holds` : `samples ${first + 1} to ${first + count} hold`
  return finding(
    'sample-damaged',
    'error',
    `track ${track}: ${which} bytes impossible in ${codec}`,
    '8.7.1',
    offset,
    length,
  )
}

/** Media data lies in another file, which a repair cannot reach. */
export function externalData(track: number, offset: number): Finding {
  return finding('external-data', 'warning', `track ${track}: media data in another file`, '8.7.2', offset)
}

/**
 * The index points beside the samples by a constant: bytes were deleted or inserted before them, or, where the samples fill the
 * media data to the last byte, the index is wrong itself.
 */
export function payloadShift(offset: number, shift: number, samples: number, explained: boolean): Finding {
  const what = shift < 0 ? `${-shift} bytes missing` : `${shift} bytes too many`
  return finding(
    'payload-shift',
    'error',
    explained
      ? `the index is off by ${shift} bytes for ${samples} samples, which fill the media data where they are`
      : `${what} before here: the index is off for ${samples} samples`,
    '8.7.5',
    offset,
  )
}

/** Bytes after the last box. */
export function trailingData(offset: number, length: number, zeros: boolean): Finding {
  const what = zeros ? 'zero bytes' : 'bytes of foreign data'
  return finding('trailing-data', 'warning', `${length} ${what} after the last box`, '4.2', offset, length)
}

/** Bytes appended by a known camera after the last box, which players ignore. */
export function vendorTrailer(offset: number, length: number, name: string): Finding {
  return finding(
    'vendor-trailer',
    'info',
    `${length} bytes of ${name} data after the last box`,
    undefined,
    offset,
    length,
  )
}

/** Bytes between boxes that are none. */
export function foreignData(offset: number, length: number, zeros: boolean): Finding {
  const what = zeros ? 'zero bytes' : 'bytes'
  return finding('foreign-data', 'error', `${length} ${what} between boxes`, '4.2', offset, length)
}

/** The file type box is missing where the head of the file is damaged. */
export function headLost(length: number): Finding {
  return finding('head-lost', 'error', `the first ${length} bytes are no structure`, '4.3', 0, length)
}

/** Coded units behind the last sample of the index: a recording whose index was not written to its end. */
export function unindexedMedia(offset: number, length: number): Finding {
  return finding(
    'unindexed-media',
    'warning',
    `${length} bytes of media data are in no index`,
    '8.7.5',
    offset,
    length,
  )
}

/** A fragment whose samples cannot be placed. */
export function fragmentBroken(offset: number, length: number, why: string): Finding {
  return finding('fragment-broken', 'error', `movie fragment: ${why}`, '8.8.4', offset, length)
}

/** A number missing in the sequence of fragments. */
export function fragmentsMissing(offset: number, count: number): Finding {
  return finding(
    'fragments-missing',
    'error',
    `${count} movie fragments missing before this one`,
    '8.8.5',
    offset,
  )
}

/** Fragments without the movie box that describes their tracks. */
export function initMissing(offset: number): Finding {
  return finding('init-missing', 'error', 'movie fragments without their movie box', '8.8.1', offset)
}

/** Nothing but an index tells where samples of an encrypted track begin and what decrypts them. */
export function encryptedTrack(track: number): Finding {
  return finding('encrypted', 'error', `track ${track}: encrypted, and lost without its index`, undefined)
}

/** A track that was looked for, and none of its samples found: it may lie in what is lost, or never have been recorded. */
export function absentTrack(track: number, codec: string): Finding {
  return finding(
    'track-absent',
    'info',
    `track ${track} (${codec}): none of its samples was found`,
    undefined,
  )
}

/** A construction the engine reads past. */
export function unsupported(type: string, offset: number, what: string): Finding {
  return finding(
    'unsupported',
    'warning',
    what === '' ? `'${type}' is not supported` : `'${type}': ${what}`,
    undefined,
    offset,
  )
}

/** A fact that index or sample would have told was worked out from the payload; `estimated` when nothing in it proves it. */
export function deduced(what: string, by: string, estimated: boolean): Finding {
  return finding(estimated ? 'estimated' : 'deduced', 'info', `${what}: by ${by}`, undefined)
}

/** The sample's configuration does not read the damaged file's pictures, and another does. `differences` are plain lines. */
export function otherSettings(differences: readonly string[]): Finding {
  const message = `the sample was recorded with other settings: ${differences.join('; ')}`
  return { code: 'sample.other-settings', severity: 'warning', message }
}

/** The damaged file holds something else than the sample, in all or in part, and tells by itself what. */
export function strangeSample(inAll: boolean): Finding {
  const what = inAll ? 'nothing like the sample was found' : 'tracks of the sample were not found'
  const message = `${what} in the damaged file, which tells by itself what it holds: the sample was not used`
  return { code: 'sample.other-settings', severity: 'warning', message }
}
