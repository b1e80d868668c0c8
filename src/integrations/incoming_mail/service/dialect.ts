/** The dialect of mail services that hand mails in: they prove themselves by a token of the instance, in `Authorization: Bearer`, or as a password. */
import type { FastifyRequest } from 'fastify'
import { type Actor, provenMachine } from '../../../platform/access/actor.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { type Dialect, root } from '../../../platform/kernel/declaration/dialect.ts'
import { scope } from '../../../platform/kernel/declaration/scope.ts'
import { notFound, unauthenticated } from '../../../platform/kernel/errors.ts'
import { bearerToken } from '../../../platform/kernel/request/authenticate.ts'
import { digestOf } from '../../../platform/kernel/secrets.ts'

/** The password of `Basic`, which services that take nothing but an address send: `https://ingot:token@host/…`. */
function passwordIn(authorization: string | undefined): string | undefined {
  const [, encoded] = /^basic\s+([\w+/=-]+)$/i.exec(authorization ?? '') ?? []
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  return decoded.includes(':') ? decoded.slice(decoded.indexOf(':') + 1) : undefined
}

async function findService({ headers }: FastifyRequest, { config }: Deps): Promise<Actor> {
  const { incomingMail, incomingMailToken } = config
  if (!incomingMail || !incomingMailToken) throw notFound()
  const token = bearerToken(headers) ?? passwordIn(headers.authorization)
  // Digests are compared: how long that takes says nothing about the token.
  if (token === undefined || digestOf(token) !== digestOf(incomingMailToken)) throw unauthenticated()
  return provenMachine({ kind: 'incoming_mail_token' })
}

export const mailService: Dialect = { ...root, name: 'incoming_mail', authenticate: findService, errors: ['unauthenticated', 'not_found'] }

/** 404 for all but the mail service. */
export const inIncomingMail = scope({
  name: 'inIncomingMail',
  path: {},
  async load({ actor }) {
    if (actor.credential?.kind !== 'incoming_mail_token') throw notFound()
    return {}
  },
  subject: () => ({ on: 'instance' as const }),
  errors: () => ['not_found'],
})
