import type { Edits } from '../../../bytes/edits.ts'
import type { Findings } from '../../../model/finding.ts'
import { foreignBytes, headerHit } from '../findings.ts'
import {
  hidesField,
  isHitField,
  isTurnedStuffing,
  lacksField,
  mendedField,
  startsBehindField,
} from './adaptation.ts'
import { COUNTERS, HEADER_BYTES, type Layout, PACKET_BYTES, payloadStart } from './packet.ts'
import type { PidStream } from './stream.ts'

/** Instead of the start of a payload: the packet has none, so that the counter does not count it. */
export const UNCOUNTED = -1
/** Adaptation fields that are some, for one that is none, from which that was hit. */
const FEW = 16
/** Packets after which a PID's habits are known. */
export const SETTLED = 64

/** Puts headers of other than plain packets right where bits of them, or of the adaptation field behind, were hit. */
export class HeaderRepairs {
  readonly #layout: Layout
  readonly #findings: Findings
  readonly #edits: Edits

  constructor(layout: Layout, findings: Findings, edits: Edits) {
    this.#layout = layout
    this.#findings = findings
    this.#edits = edits
  }

  /** Reads a header. Returns where the payload begins, 188 where it is empty, `UNCOUNTED` where there is none. */
  read(stream: PidStream, bytes: Uint8Array, at: number, offset: number): number {
    const { lead } = this.#layout
    const flags = bytes[at + 3]
    const fits = stream.counter >= 0 && (flags & 15) === (stream.counter + 1) % COUNTERS
    const control = (flags >> 4) & 3
    if (bytes[at + 1] & 0x80) {
      this.#findings.add(headerHit(offset, 'error indicator'))
      if (!fits) {
        this.#edits.drop(offset, this.#layout.size)
        return UNCOUNTED
      }
      this.#edits.replace(offset + lead + 1, 1, Uint8Array.of(bytes[at + 1] & 0x7f))
      stream.damage()
    }
    if (flags & 0xc0) {
      stream.scrambled++
      if (fits && stream.scrambled === 1 && stream.packets > SETTLED) {
        this.#findings.add(headerHit(offset, 'scrambling control'))
        this.setControl(offset, flags & 0x3f)
      }
    }
    const field = bytes[at + 4]
    if (control === 1 && fits && hidesField(bytes, at)) {
      this.#findings.add(headerHit(offset, 'adaptation field control'))
      this.setControl(offset, flags | 0x20)
      return Math.min(PACKET_BYTES, 5 + field)
    }
    const broken = control === 0 || (control === 3 && field > 183) || (control === 2 && field !== 183)
    if (!broken && !this.#lacksField(stream, bytes, at, fits)) {
      if (control === 1) return HEADER_BYTES
      return control === 2 ? UNCOUNTED : this.#fieldEnd(stream, bytes, at, offset)
    }
    if (control === 2 && !fits) return UNCOUNTED
    this.#findings.add(headerHit(offset, 'adaptation field control'))
    this.setControl(offset, (flags & 0x0f) | (control === 2 ? 0x30 : 0x10))
    return control === 2 ? Math.min(PACKET_BYTES, 5 + field) : 4
  }

  /** Where the payload behind an adaptation field begins, which is put right where its stuffing or its length was hit. */
  #fieldEnd(stream: PidStream, bytes: Uint8Array, at: number, offset: number): number {
    if (stream.fields <= stream.noFields * FEW || !isHitField(bytes, at)) return payloadStart(bytes, at)
    // some writers leave bytes that no flag names: a PES packet that begins behind them shows that nothing was overwritten
    if (startsBehindField(bytes, at) && !isTurnedStuffing(bytes, at)) return payloadStart(bytes, at)
    const field = mendedField(bytes, at)
    if (field) {
      this.#findings.add(headerHit(offset, 'adaptation field'))
      this.#edits.replace(offset + this.#layout.lead + HEADER_BYTES, field.length, field)
      return HEADER_BYTES + 1 + field[0]
    }
    // what stands there now belongs to nothing
    const { size } = this.#layout
    this.#findings.add(foreignBytes(offset, size, size))
    this.#edits.drop(offset, size)
    stream.damage()
    return UNCOUNTED
  }

  /** Whether a packet only claims an adaptation field: what stands there is none, and those of its PID are some. */
  #lacksField(stream: PidStream, bytes: Uint8Array, at: number, fits: boolean): boolean {
    if ((bytes[at + 3] & 0x30) !== 0x30) return false
    const lacks = lacksField(bytes, at)
    if (!lacks) stream.fields++
    return lacks && fits && stream.fields > stream.noFields++ * FEW
  }

  /** Writes the byte of adaptation field control and continuity counter anew. */
  setControl(offset: number, value: number): void {
    this.#edits.replace(offset + this.#layout.lead + 3, 1, Uint8Array.of(value))
  }
}
