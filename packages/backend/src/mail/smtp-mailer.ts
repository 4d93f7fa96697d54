import { createTransport } from 'nodemailer'
import type { Mailer } from '../ports/mailer.ts'

const TIMEOUT_MS = 20_000

/** Sends by SMTP; `url` as `smtp://user:password@host:port`. */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async (mail) => {
      await transport.sendMail({ ...mail, from })
    },
    close: () => transport.close(),
  }
}
