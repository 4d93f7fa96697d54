/** Where the browser remembers the user of each flavour. */
export const SESSION_KEYS = { video: 'user', photo: 'photouser' } as const

/** Where it remembers the session token. */
export const TOKEN_KEY = 'token'
