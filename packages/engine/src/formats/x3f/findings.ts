import type { Finding } from '../../model/finding.ts'

export function headerLost(): Finding {
  return {
    code: 'x3f.header-lost',
    severity: 'error',
    message: 'the file does not begin with its signature',
    offset: 0,
    length: 40,
  }
}

export function directoryLost(offset: number): Finding {
  return {
    code: 'x3f.directory-lost',
    severity: 'error',
    message: 'the directory at the end of the file is gone',
    offset,
  }
}

export function sectionsLost(count: number, offset: number): Finding {
  return {
    code: 'x3f.sections-lost',
    severity: 'error',
    message: `${count} section${count === 1 ? '' : 's'} of the directory cannot be found where it says`,
    offset,
  }
}

export function rawHit(offset: number, length: number): Finding {
  return {
    code: 'x3f.raw-hit',
    severity: 'error',
    message: `${length} bytes of the sensor's data are zeros, which its coding does not make`,
    offset,
    length,
  }
}
