import type { Finding } from '../../model/finding.ts'

const BOXES = 'ISO/IEC 14496-12:2022'

export function fileTypeLost(): Finding {
  return {
    code: 'cr3.file-type-lost',
    severity: 'error',
    message: 'the file does not begin with its type',
    offset: 0,
    clause: `${BOXES} §4.3`,
  }
}

export function movieLost(): Finding {
  return {
    code: 'cr3.movie-lost',
    severity: 'error',
    message: 'the box that says where the pictures lie is gone or cannot be read',
    clause: `${BOXES} §8.2.1`,
  }
}

export function payloadHeaderWrong(offset: number, size: number): Finding {
  return {
    code: 'cr3.payload-size',
    severity: 'error',
    message: `the payload's box says ${size} bytes, which is not where its pictures lie`,
    offset,
    clause: `${BOXES} §8.1.1`,
  }
}

export function trackCut(kind: string, offset: number, missing: number): Finding {
  return {
    code: 'cr3.truncated',
    severity: 'error',
    message: `the last ${missing} bytes of the ${kind} end behind the end of the file`,
    offset,
    clause: `${BOXES} §8.7.5`,
  }
}

export function trackMisplaced(kind: string, offset: number, length: number): Finding {
  return {
    code: 'cr3.track-misplaced',
    severity: 'error',
    message: `where the ${kind} is said to lie nothing of its kind begins`,
    offset,
    length,
    clause: `${BOXES} §8.7.5`,
  }
}

export function trackHit(kind: string, offset: number, length: number): Finding {
  return {
    code: 'cr3.track-hit',
    severity: 'error',
    message: `${length} bytes of the ${kind} are zeros, which its coding does not make`,
    offset,
    length,
  }
}

export function metadataHit(names: readonly string[], offset: number): Finding {
  return {
    code: 'cr3.metadata-hit',
    severity: 'error',
    message: `what was recorded about the photo (${names.join(', ')}) cannot be read`,
    offset,
  }
}
