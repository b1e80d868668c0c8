/**
 * Answers of SAML providers between the two requests in which a sign-in ends. The provider has the browser send the answer by a form of its site, to
 * which browsers add no cookie of ours. So it is checked and kept, and the browser is sent on by a link, with the cookie of its attempt.
 */

import { uniqueViolation } from '../../platform/db/errors.ts'
import { transactOnce } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { digestOf, newLongToken } from '../../platform/kernel/secrets.ts'
import type { Secret } from '../../platform/secret.ts'
import { ProviderFailed } from '../providers/provider.ts'
import { type Asserted, type Said, verifyAnswer } from './assertion.ts'
import type { SamlService } from './relying_party.ts'

/** Milliseconds for following the link. */
const MILLISECONDS = 5 * 60_000

/**
 * Checks an answer and keeps it. Each assertion counts once.
 * @returns what it is taken by, and whether it answers a request
 * @throws ProviderFailed
 */
export async function keepAnswer(
  { deps, now }: Context,
  service: SamlService,
  answer: string,
): Promise<{ readonly secret: Secret; readonly isAsked: boolean }> {
  const { assertionId, endsAt, ...said }: Asserted = await verifyAnswer(service, answer, now)
  const secret = newLongToken()
  await deps.database.db
    .insertInto('saml_answers')
    .values({
      provider: service.key,
      assertion_digest: digestOf(assertionId),
      digest: digestOf(secret),
      said: JSON.stringify(said),
      expires_at: new Date(Math.max(endsAt.getTime(), now.getTime() + MILLISECONDS)),
      created_at: now,
    })
    .execute()
    .catch(error => {
      if (uniqueViolation(error) !== 'saml_answers_provider_assertion_digest_key') throw error
      throw new ProviderFailed('This sign-in was used before. Please begin again.')
    })
  return { secret, isAsked: said.inResponseTo !== undefined }
}

/**
 * Takes an answer, once.
 * @param inResponseTo the request that it must answer; undefined: none
 * @throws ProviderFailed where there is none
 */
export async function takeAnswer(
  { deps, now }: Context,
  service: SamlService,
  secret: string,
  inResponseTo: string | undefined,
): Promise<Said> {
  const { db } = deps.database
  const said = await transactOnce(db, async within => {
    const row = await within
      .selectFrom('saml_answers')
      .select(['id', 'said'])
      .where('digest', '=', digestOf(secret))
      .where('provider', '=', service.key)
      .where('created_at', '>', new Date(now.getTime() - MILLISECONDS).toISOString())
      .forUpdate()
      .executeTakeFirst()
    if (row) await within.updateTable('saml_answers').set({ said: null }).where('id', '=', row.id).execute()
    return row?.said as Said | null | undefined
  })
  if (!said || said.inResponseTo !== inResponseTo)
    throw new ProviderFailed('This sign-in was not begun in this browser, was used before, or has taken too long. Please begin again.')
  return said
}

/** Deletes the answers whose assertions have ended. */
export async function sweepAnswers({ database, now }: Context['deps']): Promise<void> {
  await database.db.deleteFrom('saml_answers').where('expires_at', '<', now().toISOString()).execute()
}
