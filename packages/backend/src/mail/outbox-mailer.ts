import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Logger } from '../log.ts'
import type { Clock } from '../ports/clock.ts'
import type { Mailer } from '../ports/mailer.ts'
import { randomId } from '../random.ts'

/** Writes each message as an `.eml` file, which every mail program opens, and logs its path. */
export function createOutboxMailer(folder: string, from: string, clock: Clock, log: Logger): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    send: async (mail) => {
      const composed = await transport.sendMail({ ...mail, from, date: clock.now() })
      const { message } = composed
      if (!Buffer.isBuffer(message)) throw new Error('the message was not composed')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const stamp = clock.now().toISOString().replaceAll(':', '-')
      const path = join(folder, `${stamp}-${randomId().slice(0, 8)}.eml`)
      await writeFile(path, message, { flag: 'wx', mode: 0o600 })
      log.info({ path }, 'mail written to the outbox')
    },
    close: () => transport.close(),
  }
}
