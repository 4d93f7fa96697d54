const INITIAL = 4096

/** Builds boxes in memory, front to back; sizes are filled in when a box closes. Big-endian throughout. */
export class BoxWriter {
  #bytes = new Uint8Array(INITIAL)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Everything written, as a view. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  u8(value: number): void {
    this.#room(1)
    this.#bytes[this.#length++] = value
  }

  u16(value: number): void {
    this.#room(2)
    this.#view.setUint16(this.#length, value)
    this.#length += 2
  }

  u24(value: number): void {
    this.u8(value >>> 16)
    this.u16(value & 0xffff)
  }

  u32(value: number): void {
    this.#room(4)
    this.#view.setUint32(this.#length, value)
    this.#length += 4
  }

  i32(value: number): void {
    this.u32(value >>> 0)
  }

  /** An integer from −2^53 to 2^53 in 64 bits. */
  i64(value: number): void {
    this.#room(8)
    this.#view.setBigInt64(this.#length, BigInt(Math.trunc(value)))
    this.#length += 8
  }

  /** A number in 32 bits, or in 64 for version 1 boxes. */
  number(value: number, wide: boolean): void {
    if (wide) this.i64(value)
    else this.u32(value)
  }

  fourcc(type: string): void {
    for (let i = 0; i < 4; i++) this.u8(type.charCodeAt(i))
  }

  raw(bytes: Uint8Array): void {
    this.#room(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  zeros(count: number): void {
    this.#room(count)
    this.#bytes.fill(0, this.#length, this.#length + count)
    this.#length += count
  }

  /** One box: header, then whatever `body` writes. @returns where it starts. */
  box(type: string, body: () => void): number {
    const start = this.#length
    this.u32(0)
    this.fourcc(type)
    body()
    this.#view.setUint32(start, this.#length - start)
    return start
  }

  /** One full box, ISO/IEC 14496-12:2022 §4.2.2. */
  fullBox(type: string, version: number, flags: number, body: () => void): number {
    return this.box(type, () => {
      this.u8(version)
      this.u24(flags)
      body()
    })
  }

  /** Overwrites 32 bits at `position`. */
  patch32(position: number, value: number): void {
    this.#view.setUint32(position, value)
  }

  /** Overwrites 64 bits at `position`. */
  patch64(position: number, value: number): void {
    this.#view.setUint32(position, Math.floor(value / 0x1_0000_0000))
    this.#view.setUint32(position + 4, value % 0x1_0000_0000)
  }

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
    this.#view = new DataView(grown.buffer)
  }
}
