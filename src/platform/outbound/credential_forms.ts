/** What credentials in an address look like: the names of parameters, the forms of well-known tokens, and the paths of well-known services. */

/** Names that contain one of these are names of credentials, however their words are joined. */
const secretPart =
  /token|secret|passw|passphrase|passwd|credential|signature|jwt|bearer|authori[sz]ation|api-?key|access-?key|private-?key|auth-?key/

/** Words that name a credential where they stand alone in a name. */
const secretWords: ReadonlySet<string> = new Set([
  ...['key', 'keys', 'pwd', 'pass', 'auth', 'code', 'sig', 'sign', 'hmac', 'otp', 'pin', 'sid', 'session', 'sessionid', 'ticket'],
  ...['assertion', 'cookie', 'sas'],
])

/** `userToken`, `user_token`, `user[token]` and `tokens[0]` as words with dashes. */
const dashed = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')

/** Is this the name of a parameter that holds a credential? */
export function isSecretName(name: string): boolean {
  const words = dashed(name)
  return secretPart.test(words) || words.split('-').some(word => secretWords.has(word))
}

/** Beginnings that services give their tokens so that they are found where they do not belong, and JSON web tokens. */
const tokenForm =
  /^(?:eyJ[\w-]{8,}|gl[a-z]{2,6}-[\w-]{8,}|gh[a-z]_\w{8,}|github_pat_\w{8,}|xox[a-z]-[\w-]{6,}|xapp-[\w-]{6,}|AKIA[A-Z0-9]{12,}|sk-[\w-]{12,}|sk_(?:live|test)_\w{6,}|npm_\w{12,}|dop_v1_\w{12,}|hf_\w{12,}|SG\.[\w.-]{12,})/

/** Has the text the form of a token of a well-known kind? */
export const isTokenForm = (text: string): boolean => tokenForm.test(text)

/** Names of segments whose next one is a credential. */
const secretSegmentName = /^(?:(?:[\w-]*[_-])?(?:tokens?|secrets?|passw(?:or)?d|credentials?|api-?keys?|key|jwt))$/i

/** Numbers and letters, mixed and long: nobody has chosen it to be read. */
const isRandom = (text: string): boolean => /^[\w@.~+=-]{16,}$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text)

/**
 * The indexes of the segments of a path that are credentials: those after a name of one, those of the form of a token, and what identifies the
 * hook in the paths of Slack, Discord, Teams, Telegram, Zapier and of services that do alike.
 * @param path decoded segments
 */
export function secretSegments(path: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  const addFrom = (from: number): void => {
    for (let at = from; at < path.length; at++) if (path[at] !== '') found.add(at)
  }
  for (const [at, segment] of path.entries()) {
    const [next = '', afterNext = ''] = path.slice(at + 1)
    if (isTokenForm(segment) || /^bot\d+:/.test(segment)) found.add(at)
    if (secretSegmentName.test(segment) && next !== '') found.add(at + 1)
    // Slack: /services/T000/B000/secret; Discord: /api/webhooks/id/secret; Zapier: /hooks/catch/id/secret.
    if (/^(?:services|workflows|triggers)$/i.test(segment) && /^[TE]\w*$/.test(next)) addFrom(at + 3)
    if (/^webhooks$/i.test(segment) && /^\d+$/.test(next)) addFrom(at + 2)
    if (/^catch$/i.test(segment) && /^\d+$/.test(next) && afterNext !== '') addFrom(at + 2)
    // Teams: /webhookb2/guid@guid/IncomingWebhook/hex/guid; in front of it the organization may stand.
    if (/^webhookb2$/i.test(segment)) addFrom(at + 1)
    if (/^incomingwebhook$/i.test(segment)) addFrom(at + 1)
    if (/^(?:web|in|out)?hooks?$|^deliver$|^integration$/i.test(segment))
      for (const [ahead, later] of path.slice(at + 1).entries()) if (isRandom(later)) found.add(at + 1 + ahead)
  }
  return found
}
