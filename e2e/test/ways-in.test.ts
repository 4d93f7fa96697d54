import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { visitProvider } from '../../apps/api/test/support/identity-provider.ts'
import type { Stage } from '../src/stage.ts'
import { PASSWORD, Visitor } from '../src/visitor.ts'
import { dialog, takeFromMenu, toast } from './doing.ts'
import { expectGoodDialog, expectGoodPage } from './good-page.ts'
import { PERSON } from './person.ts'
import { openStage } from './shared-house.ts'

const OUTBOX_PATIENCE = 30_000

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterAll(() => stage?.close())

test('Google signs in to the video page and to the photo app', async () => {
  const { page, context, errors } = await stage.visit('/')
  await page.getByRole('link', { name: 'Sign In' }).click()
  await dialog(page).getByRole('button', { name: 'Continue with Google' }).click()
  await page.waitForURL(`${stage.address}/`)
  await page.getByRole('button', { name: `Your account, ${PERSON.email}` }).waitFor()
  await takeFromMenu(page, 'Sign Out')
  await page.getByRole('link', { name: 'Sign In' }).waitFor()

  await page.goto(`${stage.address}/photo/`)
  await page.getByRole('button', { name: 'Upload Photo' }).first().click()
  await dialog(page).getByRole('button', { name: 'Continue with Google' }).click()
  await page.waitForURL('**/photo/app')
  await page.getByRole('button', { name: `Your account, ${PERSON.email}` }).waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})

test('Apple, who posts its answer, signs in and leads to the start page; on the way the page says what goes on', async () => {
  const { page, context, errors } = await stage.visit('/')
  let release: () => void = () => undefined
  const seen = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/appleauth', async (route) => {
    await seen
    await route.continue()
  })
  await page.getByRole('link', { name: 'Sign In' }).click()
  await dialog(page).getByRole('button', { name: 'Continue with Apple' }).click()
  await page.getByText('Processing Apple Sign-In...').waitFor()
  await expectGoodPage(page, 'apple-callback')
  release()
  await page.waitForURL(`${stage.address}/`)
  await page.getByRole('button', { name: `Your account, ${PERSON.email}` }).waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})

test('Apple`s own window, where its script is configured, signs in by an id token and leads to the account page', async () => {
  const { page, context, errors } = await stage.visit('/')
  // The house has no script of Apple's: what stands for it asks the provider as its window would.
  await page.route('**/api/signin/start', async (route) => {
    const response = await route.fetch()
    const started = await response.json()
    const asked = new URL(started.url)
    const clientId = asked.searchParams.get('client_id') ?? ''
    const redirectUri = asked.searchParams.get('redirect_uri') ?? ''
    const window = { script: `${stage.address}/window.js`, clientId, redirectUri }
    await page.exposeFunction('askApple', async (options: Record<string, string>) => {
      const query = new URLSearchParams({
        client_id: options.clientId ?? '',
        response_type: 'id_token',
        scope: 'openid email',
        redirect_uri: options.redirectURI ?? '',
        nonce: options.nonce ?? '',
        state: options.state ?? '',
      })
      const answer = await visitProvider(asked.origin, `${asked.origin}${asked.pathname}?${query}`)
      return { authorization: { id_token: answer.get('id_token') } }
    })
    await route.fulfill({ response, json: { ...started, window } })
  })
  await page.route('**/window.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'let o; window.AppleID = { auth: { init: (all) => { o = all }, signIn: () => askApple(o) } }',
    }),
  )
  await page.getByRole('link', { name: 'Sign In' }).click()
  await dialog(page).getByRole('button', { name: 'Continue with Apple' }).click()
  await page.waitForURL('**/admin/dashboard')
  await page.getByRole('button', { name: `Your account, ${PERSON.email}` }).waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})

test('a sign-in that the service refuses says so and stays where it is, with a way back', async () => {
  const { page, context } = await stage.visit('/callback?code=invented&state=of-nobody')
  await toast(page, 'HTTP error! Try Again')
  await page.getByText('Processing Apple Sign-In...').waitFor()
  expect(new URL(page.url()).pathname).toBe('/callback')
  await expectGoodPage(page, 'apple-refused')
  await page.getByRole('link', { name: 'Back to the start page' }).click()
  await page.waitForURL(`${stage.address}/`)
  await context.close()
})

test('a forgotten password is set anew by the mail, and the old one is refused', async () => {
  const visitor = await Visitor.signUp(stage.address, 'forgetful')
  const { page, context, errors } = await stage.visit('/', { expected: [/\/api\/login/] })
  await page.getByRole('link', { name: 'Sign In' }).click()
  await dialog(page).getByRole('button', { name: 'Forgot password?' }).click()
  await dialog(page).getByRole('heading', { name: 'Forgot password?' }).waitFor()
  await dialog(page).getByLabel('Email').fill(visitor.email)
  await dialog(page).getByRole('button', { name: 'Send the link' }).click()
  await dialog(page).getByText(`If there is an account for ${visitor.email}`).waitFor()
  await expectGoodDialog(page, 'forgotten-password')

  await page.goto(await linkMailedTo(visitor.email, '/reset'))
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Password is required').waitFor()
  await expectGoodPage(page, 'reset')
  await page.getByLabel('New password').fill('another long passphrase')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByRole('button', { name: `Your account, ${visitor.email}` }).waitFor()
  await takeFromMenu(page, 'Sign Out')

  await page.getByRole('link', { name: 'Sign In' }).click()
  await page.getByLabel('Email').fill(visitor.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in with email' }).click()
  await page.locator('.Toastify__toast').waitFor()

  await page.goto(await linkMailedTo(visitor.email, '/verify'))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expectGoodPage(page, 'verify')
  await page.getByRole('button', { name: 'Verify my email' }).click()
  await page.getByRole('heading', { name: 'Your email is verified' }).waitFor()
  expect(errors.list).toEqual([])
  await context.close()
})

test('a link of a mail that lost its end is told as such, and a press that got no answer can be made again', async () => {
  const visitor = await Visitor.signUp(stage.address, 'hurried')
  const { page, context } = await stage.visit('/verify', { expected: [/\/api\/email\/verify/] })
  await page.getByText('This page needs the whole link of our mail.').waitFor()
  await expectGoodPage(page, 'link-missing')
  await page.goto(`${stage.address}/reset`)
  await page.getByText('This page needs the whole link of our mail.').waitFor()
  expect(await page.getByRole('button', { name: 'Set the password' }).count()).toBe(0)

  await page.goto(await linkMailedTo(visitor.email, '/verify'))
  await page.route('**/api/email/verify*', (route) => route.abort())
  await page.getByRole('button', { name: 'Verify my email' }).click()
  await page.getByText('The service cannot be reached. Please try again.').waitFor()
  await page.unroute('**/api/email/verify*')
  await page.getByRole('button', { name: 'Verify my email' }).click()
  await page.getByRole('heading', { name: 'Your email is verified' }).waitFor()
  await context.close()
})

/** The link to a page in a mail of the outbox, as soon as it is there. */
async function linkMailedTo(email: string, page: string): Promise<string> {
  return vi.waitFor(
    () => {
      const link = findLink(stage.house.outbox, email, page)
      if (link === undefined) throw new Error(`no mail to ${email} leads to ${page}`)
      return link
    },
    { timeout: OUTBOX_PATIENCE, interval: 50 },
  )
}

function findLink(outbox: string, email: string, page: string): string | undefined {
  for (const name of readdirSync(outbox)) {
    // Quoted-printable: a line ends in `=` where it goes on, and `=3D` is an equals sign.
    const mail = readFileSync(join(outbox, name), 'utf8').replaceAll('=\n', '').replaceAll('=3D', '=')
    if (!mail.includes(`To: ${email}`)) continue
    const link = new RegExp(`${stage.address}${page}\\?token=[\\w-]+`).exec(mail)
    if (link) return link[0]
  }
  return undefined
}
