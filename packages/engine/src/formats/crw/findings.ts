import type { Finding } from '../../model/finding.ts'
import { HEADER_BYTES } from './read.ts'

const CIFF = 'CIFF 1.0 r4'

export function headerLost(): Finding {
  return {
    code: 'crw.header-lost',
    severity: 'error',
    message: 'the file does not begin with its signature',
    offset: 0,
    length: HEADER_BYTES,
    clause: CIFF,
  }
}

export function directoryLost(offset: number): Finding {
  return {
    code: 'crw.directory-lost',
    severity: 'error',
    message: 'the directories at the end of the file are gone or cannot be read',
    offset,
    clause: CIFF,
  }
}

export function rawHit(offset: number, length: number): Finding {
  return {
    code: 'crw.raw-hit',
    severity: 'error',
    message: `${length} bytes of the raw picture are zeros, which its coding does not make`,
    offset,
    length,
  }
}

export function foreignTail(offset: number, length: number): Finding {
  return {
    code: 'crw.foreign-tail',
    severity: 'error',
    message: `${length} bytes behind the directories are none of the file's, and hide them`,
    offset,
    length,
    clause: CIFF,
  }
}

export function codeHit(offset: number, length: number): Finding {
  return {
    code: 'crw.code-hit',
    severity: 'error',
    message: `within ${length} bytes of it the raw picture's code cannot be read as one`,
    offset,
    length,
  }
}
