import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERRORS, STAGE_TEXTS, TEXTS } from '@mendframe/contract'
import { describe, expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '..', 'src')

/** A source file as one line: where the formatter breaks a text says nothing. Its placeholders are `{name}`. */
function source(path: string): string {
  return readFileSync(join(SOURCE, path), 'utf8')
    .replace(/'\s*\+\s*'/g, '')
    .replace(/\{' '\}/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\$\{/g, '{')
}

/** The specification's quoted texts, by the file of the page that shows them. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'features/auth/sign-in-dialog.tsx': [
    "Let's get started",
    'Create an Account',
    'Log in to your account and start repair',
    'Log in to your account and start downloading',
    'Sign up for an account to get started',
    'Sign in with email',
    'Sign up with email',
    "Don't have an account?",
    'Sign up',
    'Already have an account?',
    'Log in',
  ],
  'features/chrome/public-header.tsx': ['Sign In'],
  'features/chrome/user-menu.tsx': ['Upgrade Plan'],
  'app/user-menu-slot.tsx': ['My Plan', 'My Account', 'Sign Out', 'Upload Video', 'Purchase History'],
  'shared/brand/brand.ts': ['About', 'Resources', 'News & Events', 'Partners', 'Useful Links', '2025'],
  'features/repair/hero/hero.tsx': ['Free Online Video Repair', '5GB'],
  'features/repair/hero/upload-box.tsx': ['Upload Video'],
  'features/repair/workspace/tracker.tsx': [
    'Upload Video',
    'File Uploaded',
    'Add Sample Video',
    'Sample Video Added',
    'Repair Video',
    'Video Repaired',
    'Preview & Save',
    'File Repaired Successfully.',
  ],
  'features/repair/workspace/repair-step.tsx': ['Start Repair', 'Generating Preview'],
  'features/repair/workspace/analyzing.tsx': ['Analyzing...'],
  'features/repair/flow/follow-repair.ts': [
    'Preview Repair Creating...',
    'The Preview repair start Working.',
  ],
  'features/repair/result/result-block.tsx': [
    'Preview your Repaired Video',
    'Congratulations',
    'File Repaired Successfully.',
    'Download Preview',
  ],
  'features/repair/result/save-panel.tsx': ['Save Repaired Video', 'Continue Repairing >>', 'Delete now'],
  'features/repair/result/video-preview.tsx': [
    'Preview of this Video type is not available to be played. You can download the file to see the preview',
    'Watch a converted preview',
  ],
  'features/repair/exceed-size-dialog.tsx': ['Free Download', 'TEXTS.tooLarge'],
  'app/leave-prompt.ts': ['Do you want to leave the Page? If you leave, the data will be lost.'],
  'features/billing/pricing-words.ts': [
    'You are using Premium Account',
    'You are using Premium Account for {feature} Features',
    "? 'Video Repair'",
    'TEXTS.countExhausted',
  ],
  'features/billing/pricing-dialog.tsx': ['Purchase Licence', 'Upgrade Now'],
  'features/account/dashboard/dashboard.tsx': ['Guest User', 'Date Created', 'Repair Video'],
  'features/account/dashboard/sections.ts': ['My Plan', 'My Account', 'Purchase History'],
  'features/account/dashboard/plan-panel.tsx': [
    'You can repair one video for free',
    'You can repair a maximum of',
    "Repair More {product === 'video' ? 'Videos'",
    'Upgrade Plan',
  ],
  'features/account/file-lines.ts': [
    'Repaired by you, on {date}',
    'Failed. Repair not started by you, on {date}',
    'You uploaded a Sample video. Click on the Resume button and start repair.',
    'Failed. Only corrupted file uploaded by you, on {date}',
    'You uploaded a corrupted video. Click on the Resume button to start the repair.',
  ],
  'features/account/plan-lines.ts': [
    'Loading purchase records...',
    'No active plan.',
    'Plan has expired on {date}',
    'Current Plan will expire on {date}',
  ],
  'features/account/dashboard/personal-info.tsx': ['Personal Info', 'Select Country', 'Guest User'],
  'app/dashboard-page.tsx': ['Recent Video Repair'],
  'features/account/dashboard/file-card.tsx': ['Download', 'Resume'],
  'features/account/dashboard/file-pictures.tsx': ['removed'],
  'features/billing/purchase-history.tsx': ['Description', 'Billed To', 'Recharge On', 'Count'],
  'app/provider-return-page.tsx': ['Sign-In...', 'Processing', 'Redirecting...'],
  'features/chrome/error-screen.tsx': ['Unexpected Application Error!'],
  'features/landing/content.ts': ['No, this service is non-refundable.'],
  'features/landing/repair-links.tsx': ['Repair Video Online', 'Try Desktop Version'],
  'features/landing/desktop-banner.tsx': ['Try Desktop Version'],
  'features/photo-landing/hero.tsx': ['Free Online Photo Repair'],
  'shared/lib/lazy-with-timeout.ts': ['Loading chunk {name} failed.'],
  'shared/storage/session-keys.ts': ["'token'", "'user'", "'photouser'"],
}

/** The error catalogue and the validation rules, as page and service share them. */
const CATALOGUE: readonly string[] = [
  'Email is required',
  'Invalid email format',
  'Password is required',
  'Failed to fetch user data.',
  'HTTP error! Try Again',
  'An error occurred',
  'An error occurred during sign-up.',
  'Authorization code is missing',
  'Upload failed!',
  'Upload was aborted! Please check your internet connection.',
  'No internet connection. Please reconnect and try again.',
  'Server error (500). Please try again later.',
  'You can only upload one file.',
  'Unsupported file format.',
  'Invalid File Type. Please upload a video file with the {ext} extension.',
  'You are uploading the same file. Please choose a different file.',
  'File size exceeds 5GB limit.',
  'Please upload the Sample Video.',
  'Sample video is necessary requirement to repair your video',
  'Instance Id not Added',
  'HTTP error! Please Refresh the process',
  'Repair Failed',
  'The video repair process has failed.',
  'An error occurred during the repair process.',
  'Failed to generate download link',
  'Your file size is above 5GB which cannot be repaired online.',
  'Your video size is more than 100MB. Free version has exceeded the size limit.',
  'Your photo size is more than 20MB. Free version has exceeded the size limit.',
  'Your repair count has been exhausted. Upgrade your plan to continue repairing videos.',
  'No records found',
  'No recent uploads',
  'Unexpected Application Error!',
]

describe('the texts of the specification', () => {
  it.each(Object.entries(SHOWN))('stand in %s', (path, texts) => {
    const code = source(path)
    expect(
      texts.filter((text) => !code.includes(text) && !code.includes(text.replaceAll("'", "\\'"))),
    ).toEqual([])
  })

  it('of a repair that has begun come from the service', () => {
    expect(Object.values(STAGE_TEXTS)).toContain('Repairing Started')
  })

  it('of the error catalogue stand in the contract', () => {
    const known: readonly string[] = [
      ...Object.values(TEXTS),
      ...Object.values(ERRORS).map(([, text]) => text),
    ]
    expect(CATALOGUE.filter((text) => !known.includes(text))).toEqual([])
  })

  it('of the error catalogue are each used by the page or come with the answer of a call', () => {
    const answered = new Set<string>(Object.values(ERRORS).map(([, text]) => text))
    const code = [
      'features/auth/sign-in.ts',
      'features/auth/sign-in-dialog.tsx',
      'features/auth/provider-return.ts',
      'features/account/user-slice.ts',
      'features/account/dashboard/recent-files.tsx',
      'features/billing/purchase-history.tsx',
      'features/billing/pricing-words.ts',
      'features/repair/flow/checks.ts',
      'features/repair/flow/repair-flow.ts',
      'features/repair/flow/follow-repair.ts',
      'features/repair/upload/upload-errors.ts',
      'features/repair/workspace/sample-step.tsx',
      'features/repair/exceed-size-dialog.tsx',
      'features/chrome/error-screen.tsx',
    ]
      .map(source)
      .join(' ')
    const unused = Object.entries(TEXTS).filter(
      ([name, text]) => !code.includes(`TEXTS.${name}`) && !code.includes(text) && !answered.has(text),
    )
    expect(unused).toEqual([])
  })
})
