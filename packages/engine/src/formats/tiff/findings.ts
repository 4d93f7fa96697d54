import type { Finding } from '../../model/finding.ts'
import type { Unit } from './read/image.ts'

const TIFF6 = 'TIFF 6.0'

export function leadingData(bytes: number): Finding {
  return {
    code: 'tiff.leading-data',
    severity: 'warning',
    message: `${bytes} bytes in front of the file`,
    offset: 0,
    length: bytes,
    clause: `${TIFF6} §2`,
  }
}

export function headerLost(reason: string): Finding {
  return {
    code: 'tiff.header-lost',
    severity: 'error',
    message: reason,
    offset: 0,
    length: 8,
    clause: `${TIFF6} §2`,
  }
}

export function headCut(bytes: number): Finding {
  return {
    code: 'tiff.head-cut',
    severity: 'error',
    message: `the first ${bytes} bytes of the file are missing`,
    offset: 0,
    clause: `${TIFF6} §2`,
  }
}

export function bytesMoved({ at, by }: { readonly at: number; readonly by: number }): Finding {
  return {
    code: 'tiff.bytes-moved',
    severity: 'error',
    message: by > 0 ? `${by} bytes came in` : `${-by} bytes are gone`,
    offset: at,
    ...(by > 0 ? { length: by } : {}),
    clause: `${TIFF6} §2`,
  }
}

export function lengthUnclear(offset: number, length: number): Finding {
  return {
    code: 'tiff.length-unclear',
    severity: 'error',
    message: `${length} bytes more than the file tells of, which may lie among its pixels`,
    offset,
    length,
  }
}

export function directoryLost(at: number, to: number): Finding {
  return {
    code: 'tiff.directory-lost',
    severity: 'error',
    message: `a pointer names a directory at ${to}, where none is`,
    offset: at,
    clause: `${TIFF6} §2`,
  }
}

export function noDirectory(): Finding {
  return {
    code: 'tiff.no-directory',
    severity: 'error',
    message: 'no directory that describes a picture survives',
    clause: `${TIFF6} §2`,
  }
}

export function unitsCut(kind: string, count: number, offset: number): Finding {
  return {
    code: 'tiff.truncated',
    severity: 'error',
    message: `${count} ${kind}${count === 1 ? '' : 's'} end behind the end of the file`,
    offset,
    clause: `${TIFF6} §3`,
  }
}

/** `rows` that can be read of a strip or tile of so many; all of them where the fault shows behind the last. */
export function unitBroken(
  kind: string,
  { index, offset, bytes: length, height }: Unit,
  rows: number,
): Finding {
  const message =
    rows < height
      ? `${kind} ${index} cannot be unpacked beyond its row ${rows}`
      : `${kind} ${index} does not hold what its pixels need: its data are damaged within`
  return {
    code: 'tiff.unit-broken',
    severity: 'error',
    message,
    offset,
    length,
    clause: `${TIFF6} §3`,
  }
}

export function unitsMissing(kind: string, named: number, expected: number, offset: number): Finding {
  return {
    code: 'tiff.units-missing',
    severity: 'warning',
    message: `${named} ${kind}s are named where the picture's size asks for ${expected}`,
    offset,
    clause: `${TIFF6} §3`,
  }
}

export function fieldsLost(at: number, count: number): Finding {
  return {
    code: 'tiff.fields-lost',
    severity: 'error',
    message: `${count} field${count === 1 ? '' : 's'} of a directory ${count === 1 ? 'is' : 'are'} overwritten`,
    offset: at,
    clause: `${TIFF6} §2`,
  }
}

export function placesLost(kind: string, count: number, at: number): Finding {
  return {
    code: 'tiff.places-lost',
    severity: 'error',
    message: `where ${count} ${kind}${count === 1 ? '' : 's'} lie, or how long they are, is not told`,
    offset: at,
    clause: `${TIFF6} §3`,
  }
}

export function valuesCut(tag: number, at: number, length: number): Finding {
  return {
    code: 'tiff.values-cut',
    severity: 'error',
    message: `the values of field ${tag} end behind the end of the file`,
    offset: at,
    length,
    clause: `${TIFF6} §2`,
  }
}
