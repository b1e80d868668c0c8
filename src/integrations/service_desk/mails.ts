/** The mails of the service desk: thanks for a request, and the comments that follow. */
import { itemKind } from '../../collaboration/item_kinds/item_kind.ts'
import { noteById } from '../../collaboration/notes/queries.ts'
import { supportBotId } from '../../identity/users/bots.ts'
import { usersById } from '../../identity/users/queries.ts'
import type { IssueRow } from '../../planning/issues/queries.ts'
import { transact } from '../../platform/db/transact.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import type { MailPart } from '../../platform/mail/content.ts'
import { writeMail } from '../../platform/mail/outbox.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { findSubject } from '../notifications/subjects.ts'
import { written } from '../notifications/texts.ts'
import { SENT_NOTIFICATIONS } from '../notifications/unsubscribing.ts'
import { isFirst } from '../notifications/write.ts'
import { leavingToken, type Participant, participantAddress, participantsOf } from './participants.ts'

/** Writes a mail to a person who takes part by mail, in the transaction of `ctx`. */
async function mailTo(
  ctx: Context,
  { id, email, message_id }: Participant,
  { kind, subject, parts }: { readonly kind: string; readonly subject: string; readonly parts: readonly MailPart[] },
): Promise<void> {
  const unsubscribe = `${ctx.url}${SENT_NOTIFICATIONS}/${leavingToken(ctx.deps, id)}/unsubscribe`
  const replyTo = participantAddress(ctx, id)
  await writeMail(ctx, {
    kind,
    to: { address: email },
    subject: `Re: ${subject}`,
    parts,
    reason: `You get this mail because you wrote to this address. Answer it to add something. To get no more of them: ${unsubscribe}`,
    unsubscribe,
    ...(replyTo !== undefined && { replyTo }),
    ...(message_id !== null && { answers: message_id }),
  })
}

/** Thanks for a request, in the transaction that makes its issue. Nothing of the request stands in it: its sender may be another one. */
export const thank = (
  ctx: Context,
  { name }: ProjectRow,
  { iid, title }: Pick<IssueRow, 'iid' | 'title'>,
  participant: Participant,
): Promise<void> =>
  mailTo(ctx, participant, {
    kind: 'service_desk_thanks',
    subject: `${title} (${itemKind('issue').sigil}${iid})`,
    parts: [`Thank you for your request to ${name}. It has the number ${itemKind('issue').sigil}${iid}. We will answer you by mail.`],
  })

/** Mails a comment to the people who take part by mail: not an internal one, and not what they wrote themselves. Once for each event. */
export async function mailComment(
  deps: Deps,
  { note_id }: { readonly note_id: number },
  { id: eventId }: { readonly id: number },
): Promise<void> {
  const ctx = systemContext(deps, deps.database.db)
  const note = await noteById(ctx.db, note_id)
  if (!note || note.issue_id === null || note.confidential || note.action !== null) return
  const people = await participantsOf(ctx.db, note.issue_id)
  if (people.length === 0 || note.author_id === (await supportBotId(ctx))) return
  const subject = await findSubject(ctx, { issue_id: note.issue_id })
  if (!subject) return
  const author = (await usersById(ctx.db, [note.author_id])).get(note.author_id)
  const parts = [`${author?.name ?? 'Someone'} wrote:`, await written(ctx.url, subject, note.body)]
  await transact(ctx.db, async db => {
    if (!(await isFirst(db, `service_desk:${eventId}`, ctx.now))) return
    for (const person of people)
      await mailTo({ ...ctx, db }, person, {
        kind: 'service_desk_comment',
        subject: `${subject.title} (${subject.reference})`,
        parts,
      })
  })
}
