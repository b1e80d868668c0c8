/** Why an archive was not imported. */
import { checkViolation, dataError, foreignKeyViolation, uniqueViolation } from '../../../platform/db/errors.ts'
import { RemoteUnreadable } from '../../../platform/git/index.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { OutboundRefused } from '../../../platform/outbound/addresses.ts'
import { OutboundFailed } from '../../../platform/outbound/exchange.ts'
import { RemoteRefused } from '../../../platform/outbound/remote_api.ts'
import { ArchiveRefused, reasonOfRefusal } from '../reading/refused.ts'

/** Shown where the reason is not the archive's. */
export const FAILED = 'The import failed because of an error of the server.'

/** Why an archive was not imported, for its user and the log. */
export function reasonOf(error: unknown): { readonly message: string; readonly relation: string } {
  if (error instanceof ArchiveRefused) return error
  if (error instanceof RemoteRefused || error instanceof RemoteUnreadable) return { relation: 'repository', message: error.message }
  if (error instanceof OutboundFailed || error instanceof OutboundRefused)
    return { relation: 'archive', message: `The archive could not be fetched: ${error.message}` }
  if (error instanceof Refusal) return { relation: 'archive', message: reasonOfRefusal(error) }
  const constraint = uniqueViolation(error) ?? foreignKeyViolation(error) ?? checkViolation(error)
  if (constraint !== undefined) return { relation: 'archive', message: `The rows of the archive contradict each other (${constraint}).` }
  if (dataError(error)) return { relation: 'archive', message: 'The archive has a value that cannot be stored.' }
  return { relation: 'archive', message: FAILED }
}
