import { FORMATS } from '../../src/formats/index.ts'
import { fixturesOf } from '../contract/fixtures.ts'

/** The bytes of a format's fixture of a name; of its first one without. */
export function fixtureBytes(format: string, name?: string): Uint8Array {
  const found = FORMATS.filter((known) => known.name === format).flatMap((known) => fixturesOf(known))
  const fixture = found.find((known) => name === undefined || known.name === name)
  if (!fixture) throw new Error(`no fixture ${name ?? format}`)
  return fixture.bytes
}
