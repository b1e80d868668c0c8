import { type Refusal, sentenceOf } from '../../../platform/kernel/errors.ts'

/** An archive that cannot be imported. The message is shown to the user who imports it. */
export class ArchiveRefused extends Error {
  override name = 'ArchiveRefused'
  /** The part of the archive: `issues`, `repository`, `archive`. */
  readonly relation: string

  constructor(message: string, relation = 'archive', options?: ErrorOptions) {
    super(message, options)
    this.relation = relation
  }
}

/** What a refusal says, in words: of several fields each with its name before it. */
export function reasonOfRefusal(refusal: Refusal): string {
  const { message } = (refusal.body ?? {}) as { message?: unknown }
  if (typeof message !== 'object' || message === null) return sentenceOf(refusal)
  return Object.entries(message)
    .map(([field, problems]) => `${field} ${[problems].flat().join(', ')}`)
    .join('; ')
}
