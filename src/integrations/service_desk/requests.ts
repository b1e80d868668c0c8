/**
 * Mails of people without an account: to the address of a project, where each becomes an issue, confidential unless the project says otherwise, and to
 * the address that they got for their answers, where each becomes a comment. The support bot writes both, and no quick action in them counts.
 */
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { createNote } from '../../collaboration/notes/commands.ts'
import { isLockedFor } from '../../collaboration/notes/items/commenter.ts'
import { createWithQuickActions } from '../../collaboration/quick_actions/with_quick_actions.ts'
import { supportBotId } from '../../identity/users/bots.ts'
import { createIssue, type NewIssue } from '../../planning/issues/changes/creation/create.ts'
import { setReplyTo } from '../../planning/issues/changes/reply_to.ts'
import { noteableIssue } from '../../planning/issues/item_kind/noteable.ts'
import { issueWriting } from '../../planning/issues/item_kind/quick_actions/with_quick_actions.ts'
import { TITLE_LENGTH } from '../../planning/issues/params.ts'
import { type IssueRow, issueById } from '../../planning/issues/queries.ts'
import { roles } from '../../platform/access/abilities.ts'
import { authorOf } from '../../platform/access/credentials/credentials.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { canReceive } from '../../platform/mail/addresses.ts'
import type { IncomingMessage } from '../../platform/mail/incoming/message.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { Accepted, Destination } from '../incoming_mail/destinations.ts'
import { MailRefused } from '../incoming_mail/refused.ts'
import { once } from '../incoming_mail/taken.ts'
import { issueTemplates } from './desks.ts'
import { thank } from './mails.ts'
import { addParticipant, isAddressOf, participantById } from './participants.ts'
import { deskTemplate } from './templates.ts'

/** New requests that this process takes in an hour: from an address, and for a project. */
const MOST = { address: 10, project: 100 } as const
const HOUR = 60 * 60
const byAddress = new RateLimiterMemory({ points: MOST.address, duration: HOUR })
const byProject = new RateLimiterMemory({ points: MOST.project, duration: HOUR })

const isWithin = (limiter: RateLimiterMemory, key: string): Promise<boolean> =>
  limiter.consume(key).then(
    () => true,
    () => false,
  )

/** A project whose service desk is open, as the support bot sees it: without a role. */
async function openDesk({ db }: Context, projectId: number | undefined): Promise<ProjectWithRole | undefined> {
  const project = projectId === undefined ? undefined : (await projectsById(db, [projectId])).get(projectId)
  const isOpen =
    project?.service_desk_enabled &&
    !project.archived &&
    project.marked_for_deletion_on === null &&
    project.issues_access_level !== 'disabled'
  return project && isOpen ? { ...project, role: roles.none } : undefined
}

/** The support bot as an actor. */
async function supportBot(ctx: Context): Promise<Accepted['actor'] | undefined> {
  const id = await transact(ctx.db, db => supportBotId({ ...ctx, db }))
  return authorOf(ctx.db, id)
}

/** Enough of an address to tell people apart, where others than members read it. */
const masked = (address: string): string => address.replace(/^(.).*@(.).*?(\.[^.]*)?$/u, '$1*****@$2*****$3')

/** Text of a person that names who wrote it: the account that shows it is the support bot's. */
const attributed = (address: string, body: string): string => `By mail from \`${address}\`:\n\n${body}`

/** What becomes of mails to the address of a project. `idOf`: which one that is. */
export const toServiceDesk =
  (idOf: (ctx: Context) => Promise<number | undefined>): Destination =>
  async (ctx, message) => {
    const address = message.from?.address ?? ''
    const project = canReceive(address) ? await openDesk(ctx, await idOf(ctx)) : undefined
    const actor = project && (await supportBot(ctx))
    // Said to nobody: the address of a project says whether it is there.
    if (!project || !actor) return undefined
    if (!(await isWithin(byAddress, address.toLowerCase())) || !(await isWithin(byProject, String(project.id)))) {
      ctx.deps.log.warn({ project: project.id }, 'the service desk takes no more requests for now')
      return undefined
    }
    const key = project.service_desk_issue_template
    const words: RequestWords = {
      thanks: await deskTemplate(ctx, project, 'thank_you'),
      // One that is gone keeps no request away.
      issue: key === null ? undefined : (await issueTemplates(ctx, project).find(key))?.content,
    }
    return {
      actor,
      project,
      isOutsider: true,
      text: message.text === '' ? message.subject : message.text,
      write: (acting, body, claim, after) =>
        once(acting, claim, async tx => {
          await request(tx, { project, words }, message, body)
          await after(tx)
        }),
    }
  }

/** The project's own words, of its repository. */
interface RequestWords {
  readonly thanks: string | undefined
  /** What stands below each request. */
  readonly issue: string | undefined
}

/**
 * Makes the issue of a request, with the template of the project below what its person wrote. Quick actions of the template count, as those of a
 * Reporter: members wrote them.
 */
function issueOf(ctx: Context, project: ProjectWithRole, given: NewIssue, template: string | undefined): Promise<IssueRow> {
  const as = { ...project, role: roles.reporter }
  return createWithQuickActions(ctx, issueWriting, as, { ...given, description: template }, async (wanted, finish) => {
    const description = [given.description, wanted.description].filter(Boolean).join('\n\n')
    return finish(ctx, await createIssue(ctx, project, { ...wanted, description }))
  })
}

/** Makes the issue of a request, with its person, and thanks them. */
async function request(
  ctx: Context,
  { project, words }: { readonly project: ProjectWithRole; readonly words: RequestWords },
  { from, subject, messageId }: IncomingMessage,
  description: string,
): Promise<void> {
  const email = from?.address ?? ''
  const title = subject === '' ? `Request of ${project.service_desk_confidential ? email : masked(email)}` : subject
  const given = { title: title.slice(0, TITLE_LENGTH).toWellFormed(), description, confidential: project.service_desk_confidential }
  const issue = await issueOf(ctx, project, given, words.issue)
  await setReplyTo(ctx.db, issue.id, email)
  const participant = await addParticipant(ctx, { issueId: issue.id, email, messageId })
  await thank(ctx, project, issue, participant, words.thanks)
}

interface Answered {
  readonly issue: IssueRow
  readonly project: ProjectWithRole
}

/** The issue that a person answers on. @throws MailRefused where it takes no answers any more */
async function answered(ctx: Context, issueId: number): Promise<Answered | undefined> {
  const issue = await issueById(ctx.db, issueId, null)
  if (!issue) return undefined
  const project = await openDesk(ctx, issue.project_id)
  if (!project) throw new MailRefused(({ say }) => ({ says: say('refused.desk_closed') }))
  if (issue.moved_to_id !== null || isLockedFor(ctx.actor, { item: issue, role: project.role }))
    throw new MailRefused(({ say }) => ({ says: say('refused.desk_locked'), advice: say('refused.desk_locked_advice') }))
  return { issue, project }
}

/** What becomes of the answers of a person to the mails about their request. */
export const toRequest =
  (participantId: number): Destination =>
  async (ctx, { from, unquoted }) => {
    const participant = await participantById(ctx.db, participantId)
    const actor = participant && (await supportBot(ctx))
    if (!participant || !actor) return undefined
    const address = from?.address ?? ''
    if (!(await isAddressOf(ctx.db, participant, address)))
      throw new MailRefused(({ say }) => ({ says: say('refused.other_person'), advice: say('refused.other_requester_advice') }))
    const acting = { ...ctx, actor }
    const here = await answered(acting, participant.issue_id)
    if (!here) return undefined
    return {
      actor,
      project: here.project,
      isOutsider: true,
      text: unquoted,
      write: (by, body, claim, after) =>
        once(by, claim, async tx => {
          const now = await answered(tx, participant.issue_id)
          if (now) {
            const named = now.issue.confidential ? address : masked(address)
            await createNote(tx, noteableIssue(tx, now.project, now.issue), { body: attributed(named, body) })
          }
          await after(tx)
        }),
    }
  }
