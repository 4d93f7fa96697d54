import type { Finding } from '../../model/finding.ts'

const HEIF = 'ISO/IEC 23008-12:2022'

export function metaLost(): Finding {
  return {
    code: 'heif.meta-lost',
    severity: 'error',
    message: 'the box that says where the pictures lie is gone or cannot be read',
    clause: `${HEIF} §6`,
  }
}

/** A picture's own coding tells what nothing beside it does. */
export function propertyLacking(type: string, item: number): Finding {
  return {
    code: 'heif.property-lacking',
    severity: 'error',
    message: `picture ${item} lacks the property ${type}`,
    clause: `${HEIF} §6.5`,
  }
}

export function briefForm(offset: number, length: number): Finding {
  return {
    code: 'heif.brief-form',
    severity: 'info',
    message: 'one box in the brief form (mini) tells all of the photo: that form is not read here',
    offset,
    length,
    clause: 'ISO/IEC 23008-12:2022/Amd 2',
  }
}

export function fileTypeLost(): Finding {
  return {
    code: 'heif.file-type-lost',
    severity: 'error',
    message: 'the file does not begin with its type',
    offset: 0,
    clause: `${HEIF} §10`,
  }
}

export function itemsCut(count: number, offset: number): Finding {
  return {
    code: 'heif.truncated',
    severity: 'error',
    message: `${count} item${count === 1 ? '' : 's'} end behind the end of the file`,
    offset,
    clause: 'ISO/IEC 14496-12:2022 §8.11.3',
  }
}

export function sequenceCut(offset: number): Finding {
  return {
    code: 'heif.truncated',
    severity: 'error',
    message: 'the file ends within the pictures of its sequence',
    offset,
    clause: `${HEIF} §7`,
  }
}

export function boxCut(type: string, offset: number, size: number): Finding {
  return {
    code: 'heif.truncated',
    severity: 'error',
    message: `the box ${type} behind the pictures ends behind the end of the file`,
    offset,
    length: size,
    clause: 'ISO/IEC 14496-12:2022 §4.2.2',
  }
}

export function bytesBehind(offset: number, length: number): Finding {
  return {
    code: 'heif.trailing',
    severity: 'info',
    message: 'the bytes behind the last box are none: nothing of the photo is among them',
    offset,
    length,
    clause: 'ISO/IEC 14496-12:2022 §4.2.2',
  }
}

export function itemBroken(type: string, id: number, offset: number, length: number): Finding {
  return {
    code: 'heif.item-broken',
    severity: 'error',
    message: `item ${id} (${type}) holds bytes that no such picture can`,
    offset,
    length,
    clause: type === 'av01' ? 'AV1 specification §5.3.1, §8.2.4' : 'ITU-T H.265 (2021) §7.4.2, §9.3',
  }
}

export function metadataHit(type: string, id: number, offset: number, length: number): Finding {
  return {
    code: 'heif.metadata-hit',
    severity: 'error',
    message: `item ${id} (${type}) beside the pictures holds bytes that none of its type can`,
    offset,
    length,
    clause: type === 'Exif' ? 'TIFF 6.0 §2' : 'XML 1.0 (Fifth Edition) §2.2',
  }
}

export function propertyBroken(type: string, offset: number, length: number): Finding {
  return {
    code: 'heif.header-broken',
    severity: 'error',
    message: `the property ${type} holds what none of its type can`,
    offset,
    length,
    clause: `${HEIF} §6.5`,
  }
}
