/** The part of libheif's JavaScript binding that is used here; it comes without types. */
declare module 'libheif-js/wasm-bundle.js' {
  interface HeifImage {
    is_primary(): number | boolean
    get_width(): number
    get_height(): number
    display(
      target: { data: Uint8ClampedArray; width: number; height: number },
      done: (shown: object | null) => void,
    ): void
  }
  const libheif: { readonly HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] } }
  export default libheif
}
