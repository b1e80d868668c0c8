/** What a version of a state says: JSON with passwords in it, which is kept encrypted. */
import { isUtf8 } from 'node:buffer'
import type { Deps } from '../../platform/kernel/context.ts'
import { badRequest } from '../../platform/kernel/errors.ts'
import type { Secret } from '../../platform/secret.ts'
import type { VersionRow } from './queries.ts'

const PURPOSE = 'terraform_state_versions.content'

/** A state for its column. */
export const sealContent = ({ secrets }: Pick<Deps, 'secrets'>, content: Buffer): string =>
  secrets.encrypt(content.toString('utf8'), PURPOSE)

/** What a version says. */
export const contentOf = ({ secrets }: Pick<Deps, 'secrets'>, { content }: Pick<VersionRow, 'content'>): Secret =>
  secrets.decrypt(content, PURPOSE)

/** The serial of a state. @throws Refusal 400 for what is no state */
export function serialIn(content: Buffer): number {
  let said: unknown
  try {
    said = isUtf8(content) ? JSON.parse(content.toString('utf8')) : undefined
  } catch {
    // Said below, as for all that is no state.
  }
  const serial = typeof said === 'object' && said !== null && 'serial' in said ? said.serial : undefined
  if (!Number.isSafeInteger(serial) || (serial as number) < 0) throw badRequest('the body is no state: it needs a serial')
  return serial as number
}
