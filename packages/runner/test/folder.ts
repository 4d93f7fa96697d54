import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A fresh folder that goes away with the test. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'mendframe-runner-'))

  file(name: string): string {
    return join(this.path, name)
  }

  names(): string[] {
    return readdirSync(this.path).sort()
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
