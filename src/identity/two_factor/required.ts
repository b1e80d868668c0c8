/** Where a second factor is needed, and what that keeps closed. */
import { noteGrace, secondFactorDue, secondFactorOf } from '../../platform/access/credentials/second_factor.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { UserRow } from '../users/queries.ts'

/** Must the user have a second factor? Time for setting one up is not counted. */
export const isRequired = async (db: Db, userId: number): Promise<boolean> => {
  const row = await secondFactorOf(db, userId)
  return row !== undefined && row.two_factor_grace_hours !== null
}

/**
 * Why the right password does not open this account for programs, in words; undefined where it does.
 * Contract: git over HTTP and the OAuth password grant take tokens alone from an account with two factors (git over HTTP; OAuth API).
 */
export async function whyPasswordIsNotEnough(db: Db, user: UserRow, now: Date): Promise<string | undefined> {
  const row = user.two_factor_enabled ? undefined : await secondFactorOf(db, user.id)
  // The time begins with a password too: for those who open no page it would never be over.
  if (row) await noteGrace(db, user.id, row, now)
  const due = row && secondFactorDue(row, now)
  if (!user.two_factor_enabled && (due === undefined || due > now.getTime())) return undefined
  const why = user.two_factor_enabled ? 'The account has two-factor authentication' : 'The account must have two-factor authentication'
  return `${why}: you must use a personal access token with 'read_repository' or 'write_repository' scope for Git over HTTP, and one with 'api' or 'read_api' for the API. You can create one at /-/profile/personal_access_tokens.`
}
