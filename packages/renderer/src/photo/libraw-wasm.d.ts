/** The part of LibRaw's WebAssembly module that is used here; its documented class needs a browser's worker. */
declare module 'libraw-wasm/dist/libraw.js' {
  interface RawPicture {
    readonly width: number
    readonly height: number
    readonly colors: number
    readonly bits: number
    readonly data: Uint8Array
  }
  interface LibRaw {
    open(bytes: Uint8Array, settings: Readonly<Record<string, unknown>>): void
    metadata(full: boolean): { readonly width: number; readonly height: number }
    imageData(): RawPicture | undefined
  }
  export default function make(settings: {
    readonly wasmBinary: Uint8Array
  }): Promise<{ readonly LibRaw: new () => LibRaw }>
}
