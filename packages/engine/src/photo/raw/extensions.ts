/** Extensions of raw photos that are TIFF files, and of all others. */
export const TIFF_RAWS: readonly string[] = [
  ...['dng', 'cr2', 'nef', 'nrw', 'arw', 'sr2', 'srf', 'orf', 'rw2', 'pef', 'srw', 'erf', 'kdc', 'dcr'],
  ...['3fr', 'iiq', 'gpr'],
]
export const RAWS: readonly string[] = [...TIFF_RAWS, 'cr3', 'crw', 'mrw', 'raf', 'x3f']
