/** One event of a `text/event-stream`. */
export interface StreamEvent {
  readonly name: string
  readonly data: string
}

/** An event larger than this is not ours. */
const MAX_EVENT_CHARS = 1_000_000

/**
 * Reads events from the body of an answer (HTML Living Standard §9.2.6), as they come.
 * @throws RangeError an event that never ends
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let name = 'message'
  let data: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      if (rest.length > MAX_EVENT_CHARS) throw new RangeError('an event of the progress stream is too long')
      const lines = rest.split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) yield { name, data: data.join('\n') }
          name = 'message'
          data = []
          continue
        }
        const colon = line.indexOf(':')
        const field = colon < 0 ? line : line.slice(0, colon)
        const text = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
        if (field === 'event') name = text
        else if (field === 'data') data.push(text)
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
