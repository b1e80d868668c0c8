/**
 * Things that vanish under a request. A scope finds a project, and another request deletes it before the command has written what belongs to it: the
 * database refuses, and the answer is what it would have been a moment later (404, or 401 where the caller's own account is gone).
 */
import { NoResultError } from 'kysely'
import { foreignKeyViolation } from '../db/errors.ts'

/** May a row be missing which was there before? Code that reads one a second time stumbles over `undefined`. */
const mayMissRow = (error: unknown): boolean =>
  error instanceof NoResultError || error instanceof TypeError || foreignKeyViolation(error) !== undefined

/**
 * The refusal behind an error, where `look` finds that what the request is about is gone; else the error itself.
 * @param look who asks, and what about; rejects with the refusal
 */
export async function causeOf(error: unknown, look: () => Promise<unknown>): Promise<unknown> {
  if (!mayMissRow(error)) return error
  return look().then(
    () => error,
    refusal => refusal,
  )
}
