/** Refusals of the repository API, with the texts of the public API at 14.0. */
import { RefConflict, shortNameOf } from '../../platform/git/index.ts'
import { forbidden, Refusal, RefusedAt } from '../../platform/kernel/errors.ts'

/**
 * 400 with a text of its own, for parameters that are invalid in this repository.
 * @param at what forms say instead, by the names of the parameters
 */
export const refused = (message: string, at?: Readonly<Record<string, string[]>>): Refusal =>
  at ? new RefusedAt('bad_request', message, at) : new Refusal('bad_request', { message })

/** 403 for a protected branch that the caller may not push to. */
export const pushRefused = () => forbidden('You are not allowed to push into this branch')

/** 400 for a branch or tag whose name clashes with this reference. */
export const nameClash = ({ other }: RefConflict) =>
  refused(`The name differs from that of '${shortNameOf(other ?? '')?.name}' only in letter case`)

/** Turns a lost race into a 400, since nothing has happened. Other errors are passed on. */
export function refusedRace(error: unknown): unknown {
  if (error instanceof RefConflict && error.reason === 'differs_in_case') return nameClash(error)
  return error instanceof RefConflict ? refused(`Could not update ${error.ref}. Please refresh and try again.`) : error
}
