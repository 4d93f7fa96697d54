import { COUNTRIES } from '@mendframe/contract'
import { describe, expect, it } from 'vitest'
import { countryOptions } from '../../src/features/account/dashboard/country-options.ts'
import { fileLine, resumePath } from '../../src/features/account/dashboard/file-line.ts'
import { planLine } from '../../src/features/account/dashboard/plan-line.ts'
import { sectionOf } from '../../src/features/account/dashboard/sections.ts'
import { allowance, asksToUpgrade, freeUsage } from '../../src/features/account/dashboard/usage.ts'

const HOUR = 3_600_000
const created = '2026-03-05T21:30:00.000Z'
const uploaded = Date.parse(created)

const file = (
  status: 'Corrut_File_Uploaded' | 'Sample_File_Uploaded' | 'Repair_Completed',
  deleted = false,
) => ({
  status,
  created_date: created,
  file_status: deleted ? ('Deleted' as const) : ('Available' as const),
  product: 'video' as const,
})

describe('the line of a file', () => {
  it('tells when it was repaired and offers the download until it is deleted', () => {
    expect(fileLine(file('Repair_Completed'), uploaded)).toEqual({
      text: 'Repaired by you, on March 5, 2026',
      action: 'download',
    })
    expect(fileLine(file('Repair_Completed', true), uploaded)).toEqual({
      text: 'Repaired by you, on March 5, 2026',
      action: 'none',
    })
  })

  it('offers to resume an unfinished upload for exactly 24 hours', () => {
    expect(fileLine(file('Sample_File_Uploaded'), uploaded + 24 * HOUR)).toEqual({
      text: 'You uploaded a Sample video. Click on the Resume button and start repair.',
      action: 'resume',
    })
    expect(fileLine(file('Corrut_File_Uploaded'), uploaded + 24 * HOUR)).toEqual({
      text: 'You uploaded a corrupted video. Click on the Resume button to start the repair.',
      action: 'resume',
    })
    expect(fileLine(file('Sample_File_Uploaded'), uploaded + 24 * HOUR + 1)).toEqual({
      text: 'Failed. Repair not started by you, on March 5, 2026',
      action: 'none',
    })
    expect(fileLine(file('Corrut_File_Uploaded'), uploaded + 24 * HOUR + 1)).toEqual({
      text: 'Failed. Only corrupted file uploaded by you, on March 5, 2026',
      action: 'none',
    })
  })

  it('does not offer to resume what is deleted', () => {
    expect(fileLine(file('Sample_File_Uploaded', true), uploaded).action).toBe('none')
  })

  it('speaks of photos in the photo flavour', () => {
    expect(fileLine({ ...file('Sample_File_Uploaded'), product: 'photo' }, uploaded).text).toContain(
      'Sample photo',
    )
  })

  it('keeps any unique id whole in the resume address', () => {
    expect(resumePath({ unique_id: 'a&b=c#d' })).toBe('/resume?u=a%26b%3Dc%23d')
  })
})

describe('the line of the plan', () => {
  const monthly = { createdOn: '1st March 2026', subscription: 'Monthly' as const }

  it('says that records are on their way', () => {
    expect(planLine([], true, uploaded)).toBe('Loading purchase records...')
  })

  it('says that there is no plan without a purchase, or with a date nobody can read', () => {
    expect(planLine([], false, uploaded)).toBe('No active plan.')
    expect(planLine([{ ...monthly, createdOn: 'yesterday' }], false, uploaded)).toBe('No active plan.')
  })

  it('counts 30 days for a month, and the last day itself as expired', () => {
    expect(planLine([monthly], false, Date.parse('2026-03-30T23:59:59Z'))).toBe(
      'Current Plan will expire on March 31, 2026',
    )
    expect(planLine([monthly], false, Date.parse('2026-03-31T00:00:00Z'))).toBe(
      'Plan has expired on March 31, 2026',
    )
  })

  it('counts a calendar year for a year, and reads the first record only', () => {
    const yearly = { createdOn: '22nd May 2026', subscription: 'Yearly' as const }
    expect(planLine([yearly, monthly], false, uploaded)).toBe('Current Plan will expire on May 22, 2027')
  })
})

describe('the use of the plan', () => {
  const done = { status: 'Repair_Completed' as const, plan: 'Free' as const }

  it('counts completed Free repairs, never beyond the plan', () => {
    expect(freeUsage('video', [])).toEqual({ used: 0, total: 1 })
    expect(freeUsage('video', [done, done])).toEqual({ used: 1, total: 1 })
    expect(freeUsage('photo', [done, { ...done, plan: 'Premium' }])).toEqual({ used: 1, total: 3 })
  })

  it('asks Free users to upgrade once one repair is complete', () => {
    expect(asksToUpgrade('Free', [{ status: 'Sample_File_Uploaded' }])).toBe(false)
    expect(asksToUpgrade('Free', [done])).toBe(true)
    expect(asksToUpgrade('Premium', [done])).toBe(false)
  })

  it('says what the plan allows', () => {
    expect(allowance('video', 'Free', 1)).toBe('You can repair one video for free')
    expect(allowance('photo', 'Free', 3)).toBe('You can repair 3 photos for free')
    expect(allowance('video', 'Premium', 35)).toMatch(/^You can repair a maximum of 35 files/)
  })
})

describe('the sections', () => {
  it('follow the hash and begin with the plan', () => {
    expect(sectionOf('video', '').kind).toBe('plan')
    expect(sectionOf('video', '#Billing').kind).toBe('billing')
    expect(sectionOf('video', '#myAccount').kind).toBe('account')
    expect(sectionOf('photo', '#myaccount').kind).toBe('account')
    expect(sectionOf('photo', '#Billing').kind).toBe('plan')
  })
})

describe('the countries', () => {
  it('are 53, with an own one that is missing on top', () => {
    expect(countryOptions('')).toHaveLength(53)
    expect(countryOptions('Japan')).toEqual(COUNTRIES)
    expect(countryOptions('Atlantis')[0]).toBe('Atlantis')
    expect(countryOptions('Atlantis')).toHaveLength(54)
  })
})
