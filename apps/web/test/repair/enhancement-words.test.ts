import { describe, expect, it } from 'vitest'
import { enhancementInWords } from '../../src/features/repair/result/enhancement-words.ts'

const told = (operation: string, outcome: string, pictures = 0, reason?: string) =>
  enhancementInWords({ operation, outcome, pictures, ranges: [], ...(reason ? { reason } : {}) }).line

describe('what an enhancement did', () => {
  it('is told with its number of pictures', () => {
    expect(told('sharpen', 'applied', 1)).toBe('1 picture is encoded anew and sharpened.')
    expect(told('retime', 'applied', 1200)).toBe('1,200 pictures are shown at new times.')
  })

  it('is told when there was nothing to do', () => {
    expect(told('deflicker', 'unneeded')).toBe('No flicker was found.')
  })

  it('is told with its reason when it failed', () => {
    expect(told('retime', 'failed', 0, 'there is no sound')).toBe(
      'Not done: there is no sound. The repair stands without it.',
    )
  })

  it('is told of operations this page does not know', () => {
    expect(told('colour', 'applied', 3)).toBe('3 pictures are changed.')
    expect(told('toString', 'unneeded')).toBe('It was not needed.')
  })
})
