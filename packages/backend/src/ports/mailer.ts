/** A message ready to be sent. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Mailer {
  /** @throws when the message was not accepted; the job tries again. */
  send(mail: Mail): Promise<void>
  close(): void
}
