import { repairReportSchema } from '@mendframe/contract'
import { describe, expect, it } from 'vitest'
import { EMPTY_FLOW } from '../../src/features/repair/flow/flow-state.ts'
import {
  batchInWords,
  mainPicture,
  photoHeadline,
  photoStatus,
  pictureInWords,
  rebuiltInWords,
  sharesInWords,
} from '../../src/features/repair/photo/photo-words.ts'
import { archiveNames } from '../../src/features/repair/photo/save-all.ts'
import { uprightArea, uprightSize } from '../../src/features/repair/photo/upright.ts'

const report = repairReportSchema.parse({
  engine: 'test',
  kind: 'photo',
  verdict: 'partial',
  format: 'jpeg',
  findings: [],
  omittedFindings: 0,
  strategies: [],
  seconds: 1,
  pictures: [
    {
      role: 'main',
      codec: 'jpeg',
      width: 400,
      height: 300,
      orientation: 1,
      layout: '4:2:0',
      unit: 'block',
      total: 10_000,
      recovered: 9_841,
      estimated: 9,
      lost: 150,
      areas: [{ x: 0, y: 0, width: 16, height: 16, state: 'filled' }],
      rebuilt: [{ part: 'quantisation tables', from: 'sample' }],
    },
  ],
})

it('a photo on its way is so much sent as is sent, never more', () => {
  const file = { name: 'a.jpg', bytes: 1000, extension: 'jpg' }
  const transfer = {
    ...({ role: 'corrupt', file, state: 'sending', rate: 0 } as const),
    secondsLeft: 1,
    resumedFrom: 0,
  }
  const told = (sent: number) => photoStatus({ ...EMPTY_FLOW, transfer: { ...transfer, sent } }, true)
  expect([told(0), told(999), told(1000)]).toEqual(['Uploading, 0%', 'Uploading, 99%', 'Uploading, 100%'])
})

describe('a photo`s report in words', () => {
  it('counts in shares that are never rounded up to what they are not', () => {
    expect(sharesInWords([9_999, 0, 1], 10_000)).toEqual(['99.9%', 'Less than 0.1%', 'Less than 0.1%'])
    expect(sharesInWords([10_000, 0, 0], 10_000)[0]).toBe('100%')
    expect(sharesInWords([0, 0, 10_000], 10_000)[2]).toBe('100%')
    expect(sharesInWords([0, 0, 0], 0)[0]).toBe('100%')
  })

  it('counts in shares that add up to the whole', () => {
    expect(sharesInWords([5_065, 0, 4_935], 10_000)).toEqual(['50.6%', 'Less than 0.1%', '49.4%'])
    expect(sharesInWords([3_156, 5_836, 1_008], 10_000)).toEqual(['31.5%', '58.4%', '10.1%'])
    expect(sharesInWords([8_000, 1_200, 800], 10_000)).toEqual(['80.0%', '12.0%', '8.0%'])
  })

  it('says what is as it was, what is estimated, what is lost, and what stands there', () => {
    const picture = mainPicture(report)
    if (!picture) throw new Error('no picture')
    expect(pictureInWords(picture)).toEqual([
      '98.4% of the picture is exactly as it was recorded.',
      'Less than 0.1% is back with its place, its brightness or its colour estimated.',
      '1.6% is gone and cannot be brought back; a stored preview or what lies around it stands there instead.',
    ])
    const area = { x: 0, y: 0, width: 8, height: 8 }
    const hit = {
      ...picture,
      total: 4,
      recovered: 3,
      estimated: 0,
      lost: 1,
      areas: [{ ...area, state: 'hit' }],
    }
    expect(pictureInWords(hit)[1]).toBe('25.0% is hit: what it shows behind there is not what was recorded.')
    expect(pictureInWords({ ...hit, areas: [...hit.areas, { ...area, state: 'lost' }] })[1]).toBe(
      '25.0% is gone and cannot be brought back, or was hit, and shows something else from there on.',
    )
    expect(pictureInWords({ ...picture, estimated: 0, lost: 0 })).toEqual([
      'The whole picture is exactly as it was recorded.',
    ])
    expect(rebuiltInWords({ ...picture, rebuilt: [{ part: 'header', from: 'file' }] })).toEqual([
      'The header, from what the file still holds.',
    ])
    expect(rebuiltInWords(picture)).toEqual(['The tables of brightness and colour, from the sample.'])
  })

  it('does not call a picture exact of which a doubt says that it may be another', () => {
    const picture = mainPicture(report)
    if (!picture) throw new Error('no picture')
    const line = (code: string) =>
      pictureInWords({ ...picture, estimated: 0, lost: 0 }, [{ code, message: '' }]).join(' ')
    for (const code of ['detail-lost', 'size', 'preview-only', 'hits', 'never-heard-of'])
      expect(line(code)).toBe('No part of the picture that was found is known to be gone.')
    for (const code of ['metadata', 'orientation', 'beside'])
      expect(line(code)).toBe('The whole picture is exactly as it was recorded.')
  })

  it('speaks of gaps only where something of the picture is gone', () => {
    const certain = { ...report, pictures: report.pictures.map((picture) => ({ ...picture, lost: 0 })) }
    expect(photoHeadline('partial', report)).toBe('Your photo opens again, with gaps.')
    expect(photoHeadline('partial', undefined)).toBe('Your photo opens again, with gaps.')
    expect(photoHeadline('partial', certain)).toBe(
      'Your photo opens again. Not everything about it is certain.',
    )
    expect(photoHeadline('repaired', certain)).toBe('Everything that survived is back.')
  })

  it('says of each photo how it stands, and of all how many are ready', () => {
    const damaged = {
      name: 'a.jpg',
      bytes: 1,
      extension: 'jpg',
      fileName: 'n',
      timestamp: '1',
      uniqueId: 'u',
    }
    expect(photoStatus(EMPTY_FLOW, true)).toBe('Waiting to be sent')
    expect(photoStatus({ ...EMPTY_FLOW, damaged }, true)).toBe('Waiting for its turn')
    expect(photoStatus({ ...EMPTY_FLOW, damaged }, false)).toBe('Not started')
    const waiting = (ahead?: number) =>
      photoStatus({ ...EMPTY_FLOW, damaged, repair: { kind: 'analyzing', since: 0, ahead } }, false)
    expect([waiting(), waiting(0), waiting(1)]).toEqual([
      'Analyzing...',
      'Next in line',
      'Waiting, 1 repair before',
    ])
    const result = {
      verdict: 'partial',
      download: undefined,
      report,
      message: undefined,
      deleted: false,
    } as const
    const ended = { ...EMPTY_FLOW, damaged, repair: { kind: 'done', result } as const }
    expect(photoStatus(ended, false)).toBe('Repaired with gaps')
    expect(batchInWords([ended, EMPTY_FLOW, EMPTY_FLOW])).toBe('1 of 3 photos is ready.')
  })
})

describe('an area of a picture that viewers turn', () => {
  const picture = { width: 400, height: 300 }
  const corner = { x: 0, y: 0, width: 40, height: 20 }

  it('lies where the turned picture shows it, for every orientation of Exif', () => {
    const shown = (orientation: number) => uprightArea(corner, picture, orientation)
    expect(shown(1)).toEqual(corner)
    expect(shown(2)).toEqual({ x: 360, y: 0, width: 40, height: 20 })
    expect(shown(3)).toEqual({ x: 360, y: 280, width: 40, height: 20 })
    expect(shown(4)).toEqual({ x: 0, y: 280, width: 40, height: 20 })
    expect(shown(5)).toEqual({ x: 0, y: 0, width: 20, height: 40 })
    expect(shown(6)).toEqual({ x: 280, y: 0, width: 20, height: 40 })
    expect(shown(7)).toEqual({ x: 280, y: 360, width: 20, height: 40 })
    expect(shown(8)).toEqual({ x: 0, y: 360, width: 20, height: 40 })
    expect(uprightSize(picture, 6)).toEqual({ width: 300, height: 400 })
    expect(uprightSize(picture, 3)).toEqual(picture)
  })
})

it('photos of the same name are told apart in the archive, and a name is no path', () => {
  const names = ['a.jpg', 'A.jpeg', 'b/../c.heic'].map((name) => ({ name, extension: 'jpg' }))
  expect(archiveNames(names)).toEqual(['a_repaired.jpg', 'A_repaired (2).jpg', 'b_.._c_repaired.jpg'])
})
