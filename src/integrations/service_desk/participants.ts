/** People without an account who take part in an issue by mail: each has an address of their own for answers, signed by the instance. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { addressFor } from '../../platform/mail/incoming/addresses.ts'

const REPLY = 'service_desk_reply'
const LEAVE = 'service_desk_unsubscribe'

export interface Participant {
  readonly id: number
  readonly issue_id: number
  readonly email: string
  readonly message_id: string | null
}

const participants = (db: Db) => db.selectFrom('issue_email_participants').select(['id', 'issue_id', 'email', 'message_id'])

/** Those of an issue, the first one first. */
export const participantsOf = (db: Db, issueId: number): Promise<readonly Participant[]> =>
  participants(db).where('issue_id', '=', issueId).orderBy('id').execute()

/** One of them; undefined where they left, or the issue is gone. */
export const participantById = (db: Db, id: number): Promise<Participant | undefined> =>
  participants(db).where('id', '=', id).executeTakeFirst()

/** Adds a person to an issue. */
export async function addParticipant(
  { db, now }: Pick<Context, 'db' | 'now'>,
  person: { readonly issueId: number; readonly email: string; readonly messageId: string | undefined },
): Promise<Participant> {
  return db
    .insertInto('issue_email_participants')
    .values({ issue_id: person.issueId, email: person.email, message_id: person.messageId ?? null, created_at: now })
    .returning(['id', 'issue_id', 'email', 'message_id'])
    .executeTakeFirstOrThrow()
}

/** Ends the mails to a person. */
export async function removeParticipant(db: Db, id: number): Promise<void> {
  await db.deleteFrom('issue_email_participants').where('id', '=', id).execute()
}

/** Is it the address of this person, in any case of letters? As the database compares addresses. */
export async function isAddressOf(db: Db, { id }: Participant, address: string): Promise<boolean> {
  const row = await participants(db).where('id', '=', id).where(sql`lower(email)`, '=', sql`lower(${address})`).executeTakeFirst()
  return row !== undefined
}

type Signing = Pick<Deps, 'secrets'>

const keyOf = ({ secrets }: Signing, id: number, purpose: string): string => {
  const text = `s-${id.toString(36)}`
  return `${text}-${secrets.signShort(text, purpose)}`
}

function idOf({ secrets }: Signing, key: string, purpose: string): number | undefined {
  const [, id = '', signature = ''] = /^s-([0-9a-z]{1,10})-([0-9a-z]{21})$/.exec(key) ?? []
  return id !== '' && secrets.verifyShort(`s-${id}`, purpose, signature) ? Number.parseInt(id, 36) : undefined
}

/** The address by which a person answers; undefined where the instance takes no mail. */
export const participantAddress = ({ deps }: Pick<Context, 'deps'>, id: number): string | undefined =>
  deps.config.incomingMail && addressFor(deps.config.incomingMail, keyOf(deps, id, REPLY))

/** The id of the person whose answers a key takes. */
export const readParticipantKey = (deps: Signing, key: string): number | undefined => idOf(deps, key, REPLY)

/** The token of the link that ends the mails to a person. */
export const leavingToken = (deps: Signing, id: number): string => keyOf(deps, id, LEAVE)

/** The id of the person whose mails the link ends. */
export const readLeavingToken = (deps: Signing, token: string): number | undefined => idOf(deps, token, LEAVE)
