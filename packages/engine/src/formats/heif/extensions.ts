/** Extensions of the family, the commonest first. */
export const EXTENSIONS: ReadonlySet<string> = new Set(['heic', 'heif', 'hif', 'avif'])
