/** The part of LibRaw's WebAssembly module that tells the sensor's values; its documented class needs a browser's worker. */
declare module 'libraw-wasm/dist/libraw.js' {
  interface LibRaw {
    open(bytes: Uint8Array, settings: Readonly<Record<string, unknown>>): void
    rawImageData():
      | { readonly width: number; readonly height: number; readonly data: Uint8Array | Uint16Array }
      | undefined
  }
  export default function make(settings: {
    readonly wasmBinary: Uint8Array
    readonly print?: (line: string) => void
    readonly printErr?: (line: string) => void
  }): Promise<{ readonly LibRaw: new () => LibRaw }>
}
