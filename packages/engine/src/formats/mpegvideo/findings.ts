import type { ByteReader } from '../../bytes/reader.ts'
import type { Finding, Findings } from '../../model/finding.ts'
import { addForeign } from '../../recording/zero-holes.ts'

const STANDARD = 'ITU-T H.262 (02/2012)'

export function noPictures(): Finding {
  return { code: 'mpegvideo.no-pictures', severity: 'error', message: 'no pictures were found' }
}

export function headMissing(): Finding {
  return {
    code: 'mpegvideo.head-missing',
    severity: 'error',
    message: 'the header that says how large pictures are is missing: no player shows them',
    offset: 0,
    clause: `${STANDARD} §6.2.2.1`,
  }
}

export function headHit(offset: number): Finding {
  const message = 'a sequence header breaks the syntax or contradicts the others'
  return {
    code: 'mpegvideo.sequence-header',
    severity: 'error',
    message,
    offset,
    clause: `${STANDARD} §6.2.2.1`,
  }
}

export function startCodeHit(offset: number): Finding {
  const message = 'a bit of the start code of a picture or a group is turned'
  return { code: 'mpegvideo.start-code', severity: 'error', message, offset, clause: `${STANDARD} §6.2.1` }
}

const FOREIGN = { zeros: 'mpegvideo.zeros', foreign: 'mpegvideo.foreign-bytes' }

/** Adds that [from, to) belongs to no picture. */
export function addForeignBytes(findings: Findings, reader: ByteReader, from: number, to: number): void {
  addForeign(findings, reader, [from, to], FOREIGN, foreignBytes)
}

function foreignBytes(offset: number, length: number): Finding {
  const message = `${length} bytes that belong to no picture`
  return {
    code: FOREIGN.foreign,
    severity: 'error',
    message,
    offset,
    length,
    clause: `${STANDARD} §6.2`,
  }
}

export function tornSlice(offset: number, length: number): Finding {
  const message = 'the bits of a slice break the syntax'
  return {
    code: 'mpegvideo.slice',
    severity: 'error',
    message,
    offset,
    length,
    clause: `${STANDARD} §6.2.4`,
  }
}

export function shortPicture(offset: number): Finding {
  const message = 'macroblocks of a picture are missing'
  return { code: 'mpegvideo.short-picture', severity: 'error', message, offset, clause: `${STANDARD} §6.1.2` }
}

export function wrongReference(offset: number, claimed: number, reference: number): Finding {
  const message = `a picture is numbered ${claimed} where those around leave ${reference}`
  return { code: 'mpegvideo.reference', severity: 'error', message, offset, clause: `${STANDARD} §6.3.9` }
}

export function picturesLost(offset: number, count: number): Finding {
  const missing =
    count === 1 ? 'a picture in front of this one is' : `${count} pictures in front of this one are`
  return {
    code: 'mpegvideo.pictures-lost',
    severity: 'error',
    message: `${missing} missing`,
    offset,
    clause: `${STANDARD} §6.3.9`,
  }
}
