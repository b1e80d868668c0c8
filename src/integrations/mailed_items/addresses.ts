/** The addresses by which a person makes issues and merge requests of a project: each is of one person alone. */
import { INCOMING_TOKEN, incomingTokenOf, readIncomingToken } from '../../identity/users/activity/incoming_email_tokens.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { addressBelow } from '../../platform/mail/incoming/addresses.ts'

/** What mails make. */
export type MailedKind = 'issue' | 'merge-request'

/** What is known from an address. */
export interface MailedKey {
  readonly kind: MailedKind
  readonly projectId: number
  readonly holder: NonNullable<ReturnType<typeof readIncomingToken>>
}

/** The address of a user; undefined where the instance takes no mail. One statement. */
export async function mailedItemAddress(
  { db, deps }: Pick<Context, 'db' | 'deps'>,
  project: { readonly id: number; readonly full_path: string },
  userId: number,
  kind: MailedKind = 'issue',
): Promise<string | undefined> {
  const { incomingMail } = deps.config
  return (
    incomingMail &&
    addressBelow(incomingMail, project.full_path, `${project.id}-${await incomingTokenOf(db, deps.secrets, userId)}-${kind}`)
  )
}

const FORM = new RegExp(`^(?:[a-z0-9-]+-)?(\\d{1,15})-(${INCOMING_TOKEN})-(issue|merge-request)$`)

/** What a key is about; undefined for one that this instance did not make. */
export function readMailedKey({ secrets }: Pick<Deps, 'secrets'>, key: string): MailedKey | undefined {
  const [, projectId, token = '', , , , kind] = FORM.exec(key) ?? []
  const holder = readIncomingToken(secrets, token)
  return holder && { kind: kind as MailedKind, projectId: Number(projectId), holder }
}
