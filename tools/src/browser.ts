import { type Browser, chromium } from 'playwright-core'

/** The Chromium of the npm package, headless. It reads its environment when it is imported. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x'
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x'
  const { default: sparticuz } = await import('@sparticuz/chromium')
  return chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ['--no-sandbox', ...args],
    headless: true,
  })
}
