import type { Section } from './section.ts'

/** An elementary stream as a program map lists it, ISO/IEC 13818-1:2022 §2.4.4.8. */
export interface ElementaryStream {
  readonly streamType: number
  readonly pid: number
  readonly descriptors: Uint8Array
}

export interface ProgramMap {
  readonly program: number
  readonly pcrPid: number
  readonly descriptors: Uint8Array
  readonly streams: readonly ElementaryStream[]
}

/** A PID has 13 bits. */
const PID_MASK = 0x1fff

function lengthAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] & 0x0f) << 8) | bytes[at + 1]
}

function pidAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 8) | bytes[at + 1]) & PID_MASK
}

/** Programs and the PIDs of their maps, §2.4.4.3; program 0, the network's, left out. */
export function parseAssociation({ body }: Section): Map<number, number> {
  const programs = new Map<number, number>()
  for (let at = 0; at + 4 <= body.length; at += 4) {
    const program = (body[at] << 8) | body[at + 1]
    if (program !== 0) programs.set(program, pidAt(body, at + 2))
  }
  return programs
}

export function associationBody(programs: ReadonlyMap<number, number>): Uint8Array {
  const entries = [...programs].flatMap(([program, pid]) => [
    program >> 8,
    program & 0xff,
    0xe0 | (pid >> 8),
    pid & 0xff,
  ])
  return Uint8Array.from(entries)
}

/** Undefined when its lengths contradict each other. */
export function parseProgramMap({ body, extension }: Section): ProgramMap | undefined {
  if (body.length < 4) return undefined
  const info = lengthAt(body, 2)
  let at = 4 + info
  if (at > body.length) return undefined
  const streams: ElementaryStream[] = []
  while (at + 5 <= body.length) {
    const length = lengthAt(body, at + 3)
    if (at + 5 + length > body.length) return undefined
    const descriptors = body.slice(at + 5, at + 5 + length)
    streams.push({ streamType: body[at], pid: pidAt(body, at + 1), descriptors })
    at += 5 + length
  }
  return { program: extension, pcrPid: pidAt(body, 0), descriptors: body.slice(4, 4 + info), streams }
}

export function programMapBody({ pcrPid, descriptors, streams }: ProgramMap): Uint8Array {
  const bytes = [
    0xe0 | (pcrPid >> 8),
    pcrPid & 0xff,
    0xf0 | (descriptors.length >> 8),
    descriptors.length & 0xff,
  ]
  bytes.push(...descriptors)
  for (const stream of streams) {
    const { length } = stream.descriptors
    bytes.push(
      stream.streamType,
      0xe0 | (stream.pid >> 8),
      stream.pid & 0xff,
      0xf0 | (length >> 8),
      length & 0xff,
    )
    bytes.push(...stream.descriptors)
  }
  return Uint8Array.from(bytes)
}
