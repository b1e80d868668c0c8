/** What the repository API says no with, in the words of the public API at 14.0. */
import { shortNameOf } from '../../platform/git/refs/names.ts'
import { RefConflict } from '../../platform/git/refs/update.ts'
import { forbidden, Refusal } from '../../platform/kernel/errors.ts'

/** 400 with a sentence of its own: what is wrong with the parameters in this repository. */
export const refused = (message: string) => new Refusal('bad_request', { message })

/** 403: a protected branch, for whoever may not push to it. */
export const pushRefused = () => forbidden('You are not allowed to push into this branch')

/** The name that a branch or tag cannot have beside this reference. */
export const nameClash = ({ other }: RefConflict) =>
  refused(`The name differs from that of '${shortNameOf(other ?? '')?.name}' only in letter case`)

/** A lost race as the client's to know: 400, nothing has happened. Other errors pass. */
export function refusedRace(error: unknown): unknown {
  if (error instanceof RefConflict && error.reason === 'differs_in_case') return nameClash(error)
  return error instanceof RefConflict ? refused(`Could not update ${error.ref}. Please refresh and try again.`) : error
}
