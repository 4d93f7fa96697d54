/** Who is signed in at the identity provider. */
export const PERSON = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada Lovelace' }
