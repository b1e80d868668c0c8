/** The setting of the rate limits, as it is written and as it is meant. */

/** Requests a minute before 429. */
export interface RateLimits {
  /** For each address that sends no credentials. */
  readonly anonymous: number
  /** For each signed-in user. */
  readonly authenticated: number
  /** Sign-ins and password checks for each address. */
  readonly signIn: number
}

const defaultRateLimits: RateLimits = { anonymous: 600, authenticated: 60_000, signIn: 30 }

/** Reads `on`, `off` (undefined) or limits such as `anonymous=600`; those that are not named are the standard. */
export function rateLimits(text: string, wrong: () => never): RateLimits | undefined {
  const word = text.toLowerCase()
  if (['off', 'false', '0', 'no'].includes(word)) return undefined
  if (['on', 'true', '1', 'yes'].includes(word)) return defaultRateLimits
  const names = { anonymous: 'anonymous', authenticated: 'authenticated', sign_in: 'signIn' } as const
  const given: { -readonly [K in keyof RateLimits]?: number } = {}
  for (const part of text.split(',')) {
    const [name, value] = part.split('=').map(piece => piece.trim())
    if (!name || !(name in names) || !value || !/^[1-9]\d{0,8}$/.test(value)) return wrong()
    given[names[name as keyof typeof names]] = Number(value)
  }
  return { ...defaultRateLimits, ...given }
}
