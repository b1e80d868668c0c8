/**
 * Answers as examples: what differs from run to run, and what looks like a secret, is replaced by a fixed value of the same form, so that an
 * example is stable and can be published.
 */
import { createHash } from 'node:crypto'

/** Fields whose values are credentials or lead past a sign-in. */
const SECRET = /token$|secret$|^instance_id$|^password|^private_key$|^plaintext|^code$|^credential/

/** What a credential is shown as. */
const SHOWN = '<token>'

const INSTANT = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d| UTC)?/g
const DAY = /\b\d{4}-\d\d-\d\d\b/g
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const DIGEST = /\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b/g
const HOST = /\b(https?:\/\/)(?:localhost|127\.0\.0\.1)(?::\d+)?(?=\/|\b)/g
const SSH_HOST = /\b(ssh:\/\/git@|git@)(?:localhost|127\.0\.0\.1)(?::\d+)?/g

/** The bytes of a public key that is made for each world. */
const ARMOR = /(-----BEGIN PGP PUBLIC KEY BLOCK-----\n)[\s\S]*?(\n-----END)/g

/** What a process and its queue are at this moment, and codes that are made by chance, by the names of their fields. */
const OF_THE_RUN: Readonly<Record<string, unknown>> = {
  pid: 4242,
  hostname: 'ingot.example.com',
  processed: 128,
  enqueued: 12,
  user_code: 'BCDF-GHJK',
}

/** The same code in an address. */
const USER_CODE = /\buser_code=[A-Z-]+/g

/** The name of a group's provider, which is made by chance. */
const GROUP_PROVIDER = /\bgroup_saml\.[0-9a-f]{24}\b/g

/** Longest text of an example, in characters. */
const LONGEST = 200

/** Seconds since 1970 become a fixed instant, and measured times, which have fractions, a fixed length. */
const numberOf = (value: number): number => (value > 1e9 && value < 2e9 ? 1_622_548_800 : Number.isInteger(value) ? value : 1.5)

/** The example of an answer. Lists keep their first element. */
export function anonymize(answer: unknown): unknown {
  const digests = new Map<string, string>()
  const standIn = (digest: string): string => {
    const known = digests.get(digest)
    if (known !== undefined) return known
    const made = createHash('sha256').update(`example ${digests.size}`).digest('hex').slice(0, digest.length)
    digests.set(digest, made)
    return made
  }
  const textOf = (text: string): string => {
    const replaced = text
      .replaceAll(INSTANT, '2021-06-01T12:00:00.000Z')
      .replaceAll(DAY, '2021-06-01')
      .replaceAll(ARMOR, '$1\nmDMEYAAAABYJKwYBBAHaRw8BAQdA\n$2')
      .replaceAll(UUID, '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d')
      .replaceAll(DIGEST, standIn)
      .replaceAll(HOST, '$1ingot.example.com')
      .replaceAll(SSH_HOST, '$1ingot.example.com')
      .replaceAll(GROUP_PROVIDER, 'group_saml.0123456789abcdef01234567')
      .replaceAll(USER_CODE, `user_code=${OF_THE_RUN.user_code}`)
    return replaced.length > LONGEST ? `${replaced.slice(0, LONGEST - 1)}…` : replaced
  }
  /** A short id of a commit, as the beginning of what its whole id became. */
  const shortened = (text: string): string => {
    const whole = /^[0-9a-f]{7,12}$/.test(text) && [...digests].find(([digest]) => digest.startsWith(text))
    return whole ? whole[1].slice(0, text.length) : text
  }
  const walk = (value: unknown, key: string, each: (text: string) => string): unknown => {
    if (Object.hasOwn(OF_THE_RUN, key) && typeof value === typeof OF_THE_RUN[key]) return OF_THE_RUN[key]
    if (typeof value === 'string') return SECRET.test(key) && value !== '' ? SHOWN : each(value)
    if (typeof value === 'number') return numberOf(value)
    if (Array.isArray(value)) return value.slice(0, 1).map(element => walk(element, key, each))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, walk(field, name, each)]))
  }
  // Short ids may come before the whole ones.
  return walk(walk(answer, '', textOf), '', shortened)
}
