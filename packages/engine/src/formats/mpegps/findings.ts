import type { ByteReader } from '../../bytes/reader.ts'
import type { Finding, Findings } from '../../model/finding.ts'
import { addForeign } from '../../recording/zero-holes.ts'

const STANDARD = 'ISO/IEC 13818-1:2022'

export function noPacks(): Finding {
  return { code: 'mpegps.no-packs', severity: 'error', message: 'no packs or packets were found' }
}

/** Codes of which a file may have one for each packet. */
export const TIME_STAMP = 'mpegps.time-stamp'
export const CLOCK_CODE = 'mpegps.clock'

const FOREIGN = { zeros: 'mpegps.zeros', foreign: 'mpegps.foreign-bytes' }

/** Adds that [from, to) of what `reader` reads belongs to no packet. */
export function addForeignBytes(findings: Findings, reader: ByteReader, from: number, to: number): void {
  addForeign(findings, reader, [from, to], FOREIGN, foreignBytes)
}

function foreignBytes(offset: number, length: number): Finding {
  const message = `${length} bytes that belong to no packet`
  return {
    code: FOREIGN.foreign,
    severity: 'error',
    message,
    offset,
    length,
    clause: `${STANDARD} §2.5.3`,
  }
}

/** Bytes behind the end of the pictures, too few to be a packet of them or a frame of sound. */
export function remnants(offset: number, length: number): Finding {
  const message = `${length} bytes behind the end of the pictures belong to no packet`
  return { code: 'mpegps.trailing', severity: 'info', message, offset, length }
}

export function loneSlices(offset: number, length: number): Finding {
  return {
    code: 'mpegps.lone-slices',
    severity: 'error',
    message: `${length} bytes of a picture whose header is gone`,
    offset,
    length,
    clause: 'ITU-T H.262 (02/2012) §6.2.3',
  }
}

export function wrongLength(offset: number, claimed: number, length: number): Finding {
  const message = `a packet claims ${claimed} bytes, and the next one begins after ${length}`
  return {
    code: 'mpegps.packet-length',
    severity: 'error',
    message,
    offset,
    length,
    clause: `${STANDARD} §2.4.3.7`,
  }
}

export function headerHit(offset: number, what: string): Finding {
  const message = `the header of a ${what} breaks the syntax`
  return { code: 'mpegps.header', severity: 'error', message, offset, clause: `${STANDARD} §2.5.3` }
}

export function packDoubled(offset: number, length: number): Finding {
  const message = `a pack of ${length} bytes stands in the file twice`
  return {
    code: 'mpegps.pack-doubled',
    severity: 'error',
    message,
    offset,
    length,
    clause: `${STANDARD} §2.5.3.4`,
  }
}

export function packsMissing(offset: number, count: number): Finding {
  const message = `${count} packs are missing in front of this one, as the clock tells`
  return { code: 'mpegps.packs-missing', severity: 'error', message, offset, clause: `${STANDARD} §2.5.3.4` }
}

export function stampsLost(offset: number): Finding {
  const message = 'a time stamp of a packet fits neither those around it nor the clock: it is taken out'
  return { code: TIME_STAMP, severity: 'error', message, offset, clause: `${STANDARD} §2.4.3.7` }
}

export function stampsStay(offset: number, count: number): Finding {
  const message = `${count} time stamps fit neither those around them nor the clock: so many are none of a recording`
  return { code: TIME_STAMP, severity: 'error', message, offset, clause: `${STANDARD} §2.4.3.7` }
}

export function clocksStay(offset: number, count: number): Finding {
  const message = `the clocks of ${count} packs contradict those around them: so many are none of a recording`
  return { code: CLOCK_CODE, severity: 'error', message, offset, clause: `${STANDARD} §2.5.3.4` }
}

export function stampHit(offset: number): Finding {
  const message = 'a time stamp of a packet contradicts those around it'
  return { code: TIME_STAMP, severity: 'error', message, offset, clause: `${STANDARD} §2.4.3.7` }
}

export function clockHit(offset: number): Finding {
  const message = 'the clock of a pack contradicts those around it'
  return { code: CLOCK_CODE, severity: 'error', message, offset, clause: `${STANDARD} §2.5.3.4` }
}

export function cut(offset: number, missing: number): Finding {
  const message = `the file ends inside a packet, ${missing} bytes before its end`
  return { code: 'mpegps.cut', severity: 'error', message, offset, clause: `${STANDARD} §2.4.3.7` }
}

export function lastPicture(offset: number): Finding {
  const message = 'the pictures end inside one: the rest of it is missing, or was hit'
  return {
    code: 'mpegps.last-picture',
    severity: 'error',
    message,
    offset,
    clause: 'ITU-T H.262 (02/2012) §6.1.2',
  }
}

export function headMissing(): Finding {
  return {
    code: 'mpegps.head-missing',
    severity: 'error',
    message: 'the file does not begin with a pack',
    offset: 0,
    clause: `${STANDARD} §2.5.3.1`,
  }
}

export function sequenceMissing(offset: number): Finding {
  return {
    code: 'mpegps.sequence-missing',
    severity: 'error',
    message: 'the header that says how large pictures are is missing: no player shows them',
    offset,
    clause: 'ITU-T H.262 (02/2012) §6.2.2.1',
  }
}

export function encrypted(offset: number): Finding {
  return {
    code: 'mpegps.scrambled',
    severity: 'error',
    message: 'packets are scrambled',
    offset,
    clause: `${STANDARD} §2.4.3.7`,
  }
}

export function sectorHit(offset: number): Finding {
  const message = 'a sector is not whole, or its error detection code fails'
  return { code: 'mpegps.sector', severity: 'error', message, offset, clause: 'IEC 10149:1995' }
}

export function sectorsMissing(offset: number, count: number): Finding {
  const message = `${count} sectors are missing in front of this one, as its number tells`
  return { code: 'mpegps.sectors-missing', severity: 'error', message, offset, clause: 'IEC 10149:1995' }
}

export function sectorsDoubled(offset: number): Finding {
  const message = 'a sector stands in the file twice'
  return { code: 'mpegps.sector-doubled', severity: 'error', message, offset, clause: 'IEC 10149:1995' }
}

export function riffSize(): Finding {
  return {
    code: 'mpegps.riff-size',
    severity: 'error',
    message: 'the head of the file tells another length than its sectors have',
    offset: 4,
    length: 4,
  }
}
