import { COUNTRIES, type Purchase } from '@mendframe/contract'
import { describe, expect, it } from 'vitest'
import { countriesFor } from '../../src/features/account/countries.ts'
import { sectionOf } from '../../src/features/account/dashboard/sections.ts'
import { fileLine, isManualOffered, resumePath } from '../../src/features/account/file-lines.ts'
import { expiryLine } from '../../src/features/account/plan-lines.ts'
import { uploadedFile } from '../uploaded-file.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const LONG_AGO = '2026-11-19T11:59:59Z'

describe('the status line of a dashboard file', () => {
  it('offers a repaired file for download unless it is deleted', () => {
    const repaired = uploadedFile({ status: 'Repair_Completed' })
    expect(fileLine(repaired, NOW)).toEqual({
      text: 'Repaired by you, on November 20, 2026',
      action: 'download',
    })
    expect(fileLine({ ...repaired, file_status: 'Deleted' }, NOW).action).toBeUndefined()
  })

  it('offers to resume what is younger than 24 hours', () => {
    expect(fileLine(uploadedFile({ status: 'Sample_File_Uploaded' }), NOW)).toEqual({
      text: 'You uploaded a Sample video. Click on the Resume button and start repair.',
      action: 'resume',
    })
    expect(fileLine(uploadedFile({ status: 'Corrut_File_Uploaded' }), NOW)).toEqual({
      text: 'You uploaded a corrupted video. Click on the Resume button to start the repair.',
      action: 'resume',
    })
  })

  it('asks nobody to start a repair that is running', () => {
    const running = uploadedFile({ status: 'Sample_File_Uploaded', repair: { status: 'Running' } })
    expect(fileLine(running, NOW)).toEqual({ text: 'The repair is running.', action: 'resume' })
  })

  it('asks nobody to repair what was found to be healthy, nor calls it failed', () => {
    const message = 'Nothing is wrong with this file. This did not count against your plan.'
    const healthy = uploadedFile({ repair: { status: 'Completed', verdict: 'healthy', message } })
    const line = { text: message, action: undefined }
    expect(fileLine(healthy, NOW)).toEqual(line)
    expect(fileLine({ ...healthy, created_date: LONG_AGO }, NOW)).toEqual(line)
    const wordless = uploadedFile({ repair: { status: 'Completed', verdict: 'healthy' } })
    expect(fileLine(wordless, NOW).text).toBe('Nothing is wrong with this file.')
  })

  it('calls older ones failed, at the very second', () => {
    const day = uploadedFile({ status: 'Sample_File_Uploaded', created_date: '2026-11-19T12:00:00Z' })
    expect(fileLine(day, NOW).action).toBe('resume')
    expect(fileLine({ ...day, created_date: LONG_AGO }, NOW)).toEqual({
      text: 'Failed. Repair not started by you, on November 19, 2026',
      action: undefined,
    })
    expect(fileLine({ ...day, status: 'Corrut_File_Uploaded', created_date: LONG_AGO }, NOW).text).toBe(
      'Failed. Only corrupted file uploaded by you, on November 19, 2026',
    )
  })

  it('speaks of photos on the photo dashboard, and resumes them in the photo app', () => {
    const photo = uploadedFile({ product: 'photo', status: 'Corrut_File_Uploaded' })
    expect(fileLine(photo, NOW).text).toBe(
      'You uploaded a corrupted photo. Click on the Resume button to start the repair.',
    )
    expect(resumePath(photo)).toBe('/photo/app?u=u')
    expect(resumePath(uploadedFile({ unique_id: 'a b' }))).toBe('/resume?u=a%20b')
  })

  it('offers no resume of what was deleted', () => {
    expect(fileLine(uploadedFile({ file_status: 'Deleted' }), NOW).action).toBeUndefined()
  })
})

describe('a manual repair', () => {
  it('is offered where the repair failed or is partial, not where it was cancelled', () => {
    expect(isManualOffered(uploadedFile({ repair: { status: 'Failed' } }))).toBe(true)
    expect(isManualOffered(uploadedFile({ repair: { status: 'Completed', verdict: 'partial' } }))).toBe(true)
    expect(isManualOffered(uploadedFile({ repair: { status: 'Completed', verdict: 'repaired' } }))).toBe(
      false,
    )
    expect(isManualOffered(uploadedFile({ repair: { status: 'Failed', cancelled: true } }))).toBe(false)
    expect(isManualOffered(uploadedFile({}))).toBe(false)
  })
})

function purchase(change: Partial<Purchase>): Purchase {
  return {
    id: '1',
    invoiceId: 'i',
    name: 'Mira',
    email: 'mira@example.com',
    createdOn: '1st November 2026',
    count: 10,
    subscription: 'Monthly',
    product: 'video',
    expiresOn: '2026-12-01T00:00:00Z',
    state: 'Active',
    ...change,
  }
}

describe('the line on when a plan ends', () => {
  it('adds 30 days to a monthly purchase and a year to a yearly one', () => {
    expect(expiryLine([purchase({})], false, NOW)).toBe('Current Plan will expire on December 1, 2026')
    expect(expiryLine([purchase({ subscription: 'Yearly' })], false, NOW)).toBe(
      'Current Plan will expire on November 1, 2027',
    )
  })

  it('calls a plan that ends today expired', () => {
    const bought = purchase({ createdOn: '21st October 2026' })
    expect(expiryLine([bought], false, NOW)).toBe('Plan has expired on November 20, 2026')
    expect(expiryLine([bought], false, new Date('2026-11-19T23:59:59Z'))).toBe(
      'Current Plan will expire on November 20, 2026',
    )
  })

  it('says so without a purchase that counts, and while loading', () => {
    expect(expiryLine([], false, NOW)).toBe('No active plan.')
    expect(expiryLine([purchase({ state: 'Refunded' })], false, NOW)).toBe('No active plan.')
    expect(expiryLine([purchase({ createdOn: 'yesterday' })], false, NOW)).toBe('No active plan.')
    expect(expiryLine([], true, NOW)).toBe('Loading purchase records...')
  })
})

describe('the dashboard', () => {
  it('opens the section that the address names, each flavour by its own names', () => {
    expect(sectionOf('video', '')).toBe('plan')
    expect(sectionOf('video', '#myplan')).toBe('plan')
    expect(sectionOf('video', '#myAccount')).toBe('account')
    expect(sectionOf('video', '#Billing')).toBe('billing')
    expect(sectionOf('video', '#nonsense')).toBe('plan')
    expect(sectionOf('photo', '#dashboard')).toBe('plan')
    expect(sectionOf('photo', '#myaccount')).toBe('account')
  })

  it('lists 53 countries, and an unknown one of the account on top of them', () => {
    expect(countriesFor('')).toHaveLength(53)
    expect(countriesFor('Norway')).toEqual(COUNTRIES)
    expect(countriesFor('Atlantis').slice(0, 2)).toEqual(['Atlantis', COUNTRIES[0]])
  })
})
