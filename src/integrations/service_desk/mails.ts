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
import type { Words } from '../../platform/mail/words/words.ts'
import { type ProjectRow, projectsById } from '../../spaces/projects/queries.ts'
import { findSubject } from '../notifications/subjects.ts'
import { written } from '../notifications/texts.ts'
import { SENT_NOTIFICATIONS } from '../notifications/unsubscribing.ts'
import { isFirst } from '../notifications/write.ts'
import { leavingToken, type Participant, participantAddress, participantsOf } from './participants.ts'
import { deskTemplate, filled, instanceFacts } from './templates.ts'

interface DeskMail {
  readonly project: ProjectRow
  readonly kind: string
  readonly subject: string
  /** The words of the project, if it has any. The address on which the person ends the mails is known to none but them. */
  ownParts(unsubscribe: string): Promise<readonly MailPart[] | undefined>
  /** The usual words. */
  usual(words: Words): readonly MailPart[]
}

/** Writes a mail to a person who takes part by mail, in the transaction of `ctx`. */
async function mailTo(
  ctx: Context,
  { id, email, message_id }: Participant,
  { project, kind, subject, ownParts, usual }: DeskMail,
): Promise<void> {
  const unsubscribe = `${ctx.url}${SENT_NOTIFICATIONS}/${leavingToken(ctx.deps, id)}/unsubscribe`
  const replyTo = participantAddress(ctx, id)
  const own = await ownParts(unsubscribe)
  await writeMail(ctx, {
    kind,
    to: { address: email },
    says: words => ({
      subject: `Re: ${subject}`,
      parts: own ?? usual(words),
      reason: words.say('desk.reason', { url: unsubscribe }),
    }),
    unsubscribe,
    senderName: project.service_desk_outgoing_name ?? undefined,
    ...(replyTo !== undefined && { replyTo }),
    ...(message_id !== null && { answers: message_id }),
  })
}

/**
 * Thanks for a request, in the transaction that makes its issue. The text has nothing of the request, whose sender may be another one; the subject
 * has its title, by which mail programs tell threads.
 * @param template of the project, in place of the usual words
 */
export async function thank(
  ctx: Context,
  project: ProjectRow,
  { id, iid, title }: Pick<IssueRow, 'id' | 'iid' | 'title'>,
  participant: Participant,
  template: string | undefined,
): Promise<void> {
  const subject = template === undefined ? undefined : await findSubject(ctx, { issue_id: id })
  const instance = template === undefined ? {} : await instanceFacts(ctx.db)
  const reference = `${itemKind('issue').sigil}${iid}`
  await mailTo(ctx, participant, {
    project,
    kind: 'service_desk_thanks',
    subject: `${title} (${reference})`,
    ownParts: async unsubscribe =>
      template !== undefined && subject
        ? [await written(ctx.url, subject, filled(template, { project, iid, unsubscribe, note: '' }, instance))]
        : undefined,
    usual: ({ say }) => [say('desk.thanks', { project: project.name, reference })],
  })
}

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
  const project = note.project_id === null ? undefined : (await projectsById(ctx.db, [note.project_id])).get(note.project_id)
  if (!subject || !project) return
  const author = (await usersById(ctx.db, [note.author_id])).get(note.author_id)
  const template = await deskTemplate(ctx, project, 'new_note')
  const instance = template === undefined ? {} : await instanceFacts(ctx.db)
  const text = await written(ctx.url, subject, note.body)
  const facts = { project, iid: note.noteable_iid ?? 0, note: note.body }
  await transact(ctx.db, async db => {
    if (!(await isFirst(db, `service_desk:${eventId}`, ctx.now))) return
    for (const person of people)
      await mailTo({ ...ctx, db }, person, {
        project,
        kind: 'service_desk_comment',
        subject: `${subject.title} (${subject.reference})`,
        ownParts: async unsubscribe =>
          template === undefined ? undefined : [await written(ctx.url, subject, filled(template, { ...facts, unsubscribe }, instance))],
        usual: ({ say }) => [author ? say('desk.wrote', { name: author.name }) : say('desk.someone_wrote'), text],
      })
  })
}
