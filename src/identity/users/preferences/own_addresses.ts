/** The addresses that a user shows and writes into commits: they are the user's own. */
import { sql } from 'kysely'
import type { Context } from '../../../platform/kernel/context.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import { PRIVATE, storedCommitEmail } from '../../emails/private_email.ts'
import { holderOfEmail } from '../../emails/queries.ts'
import type { UserRow } from '../queries.ts'

/** 400 for an address that is given and is none of those that the user has confirmed: else they could appear as its owner. */
export async function assertOwnAddresses(
  { db }: Context,
  user: UserRow,
  given: Readonly<{ public_email?: string | undefined; commit_email?: string | undefined }>,
): Promise<void> {
  const failures: Record<string, string[]> = {}
  for (const name of ['public_email', 'commit_email'] as const) {
    const address = given[name]
    if (name === 'commit_email' && storedCommitEmail(address, user.private_email) === PRIVATE) continue
    if (address && address !== user[name] && (await holderOfEmail(db, address))?.user_id !== user.id)
      failures[name] = ['is not an address of yours that is confirmed']
  }
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

/** Takes an address that is no longer the user's from their profile and their commits: another user may confirm it now. */
export async function forgetEmail({ db }: Pick<Context, 'db'>, userId: number, email: string): Promise<void> {
  const gone = email.toLowerCase()
  await db
    .updateTable('users')
    .set({
      public_email: sql<string>`case lower(public_email) when ${gone} then '' else public_email end`,
      commit_email: sql<string | null>`case lower(commit_email) when ${gone} then null else commit_email end`,
    })
    .where('id', '=', userId)
    .execute()
}
