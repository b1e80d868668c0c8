/** The public keys of a user as texts, for machines that let them in: `/ada.keys` and `/ada.gpg`. */
import { root } from '../../platform/kernel/declaration/dialect.ts'
import { bytes, endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { scope } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { userByUsername } from '../users/queries.ts'
import { armoredKeysOf, sshKeysInForce } from './queries.ts'

/** Never taken for a document. */
const headers = { 'x-content-type-options': 'nosniff' }

/** `:username` becomes a user by the name alone, or 404: a number would be an id. */
const inUsername = scope({
  name: 'inUsername',
  path: { username: text('A username') },
  async load({ db }, { username }) {
    const user = await userByUsername(db, username)
    if (!user) throw notFound('User')
    return { user }
  },
  subject: ({ user }) => ({ on: 'user' as const, userId: user.id, kind: user.kind }),
})

export const getSshKeysOfUser = endpoint({
  route: 'GET /:username.keys',
  summary: 'Get the SSH keys of a user as lines of `authorized_keys`',
  scope: inUsername,
  can: 'read_user',
  dialect: root,
  answers: bytes('text/plain; charset=utf-8'),
  async run({ db, user, now, url }) {
    const keys = await sshKeysInForce(db, user.id, now)
    // The comment of a key is the owner's affair: it often is an email address.
    const comment = `${user.name} (${new URL(url).hostname})`.replace(/\p{Cc}/gu, ' ')
    return { body: keys.map(key => `${key.split(' ', 2).join(' ')} ${comment}\n`).join(''), headers }
  },
})

export const getGpgKeysOfUser = endpoint({
  route: 'GET /:username.gpg',
  summary: 'Get the GPG keys of a user',
  scope: inUsername,
  can: 'read_user',
  dialect: root,
  answers: bytes('text/plain; charset=utf-8'),
  run: async ({ db, user }) => ({ body: (await armoredKeysOf(db, user.id)).map(key => `${key.trim()}\n`).join(''), headers }),
})
