/**
 * A mail to the personal address of a project becomes a merge request of its sender, by the rules of the API. The subject is the source branch, the text
 * the description; attached patches become commits of the branch. Public behaviour (merge requests by mail at 14.0): patches end with `.patch`, are
 * applied in the order of their names, and have 2 MB together at most.
 */
import { commitPatchesToBranch, takeBackPatches } from '../../code/repository/commits/patches.ts'
import { parseQuickActions } from '../../collaboration/quick_actions/parse.ts'
import { createWithQuickActions } from '../../collaboration/quick_actions/with_quick_actions.ts'
import { isIncomingTokenValid } from '../../identity/users/activity/incoming_email_tokens.ts'
import { TITLE_LENGTH } from '../../planning/issues/params.ts'
import { allows } from '../../platform/access/abilities.ts'
import { type Commit, isValidShortName, listCommits, readRefs } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { AttachedFile } from '../../platform/mail/incoming/message.ts'
import { createMergeRequest, endsFrom } from '../../review/merge_requests/changes/create.ts'
import { mergeRequestWriting } from '../../review/merge_requests/item_kind/quick_actions/with_quick_actions.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import type { Destination } from '../incoming_mail/destinations.ts'
import { MailRefused } from '../incoming_mail/refused.ts'
import { senderOf } from '../incoming_mail/sender.ts'
import { alone } from '../incoming_mail/taken.ts'
import type { MailedKey } from './addresses.ts'

/** Bytes of all patches of a mail. */
const LARGEST = 2 * 1024 * 1024

const isPatch = ({ filename }: AttachedFile): boolean => filename.endsWith('.patch')

/** The project, as the actor of `ctx` may make merge requests of its branches now. @throws MailRefused where they may not */
async function projectFor(ctx: Context, projectId: number): Promise<ProjectWithRole> {
  const project = await visibleProject(ctx.db, ctx.actor, String(projectId))
  const [from, into] = (['create_merge_request_from', 'create_merge_request'] as const).map(ability =>
    project ? allows(ctx.actor, ability, projectSubject(project)) : 'hidden',
  )
  if (!project || from === 'hidden' || into === 'hidden') throw new MailRefused(({ say }) => ({ says: say('refused.gone_project') }))
  if (from === 'no' || into === 'no')
    throw new MailRefused(({ say }) => ({ says: say('refused.no_merge_requests'), advice: say('refused.rights_advice') }))
  return project
}

/** The branches, of which the target may be named by a quick action. @throws MailRefused */
async function branchesOf(project: ProjectWithRole, source_branch: string, text: string) {
  if (source_branch === '' || !isValidShortName(source_branch))
    throw new MailRefused(({ say }) => ({ says: say('refused.no_branch_name'), advice: say('refused.no_branch_name_advice') }))
  const { actions } = await parseQuickActions(text, name => name === 'target_branch')
  const named = actions.at(-1)?.argument
  const target_branch = named ?? project.default_branch
  if (target_branch === null)
    throw new MailRefused(({ say }) => ({ says: say('refused.no_branch'), advice: say('refused.no_branch_advice') }))
  return { source_branch, target_branch }
}

type Branches = Awaited<ReturnType<typeof branchesOf>>

/** The patches of a mail in their order. @throws MailRefused for too many */
function patchesOf(files: readonly AttachedFile[], filesLeftOut: number) {
  const patches = files.filter(isPatch).toSorted((a, b) => (a.filename < b.filename ? -1 : 1))
  if (patches.length === 0) return []
  if (filesLeftOut > 0) throw new MailRefused(({ say }) => ({ says: say('refused.files_missing'), advice: say('refused.push_advice') }))
  if (patches.reduce((sum, { content }) => sum + content.length, 0) > LARGEST)
    throw new MailRefused(({ say }) => ({
      says: say('refused.patches_too_large', { size: String(LARGEST / (1024 * 1024)) }),
      advice: say('refused.push_advice'),
    }))
  return patches.map(({ filename, content }) => ({ name: filename, content }))
}

/** What a merge request of one commit is called by; of several, the branch. */
async function wordsOf(ctx: Context, project: ProjectWithRole, { source_branch, target_branch }: Branches) {
  const repository = ctx.deps.storages.repository(project)
  const [source, target] = await readRefs(repository, [`refs/heads/${source_branch}`, `refs/heads/${target_branch}`])
  const commits = source && target ? await listCommits(repository, { from: [source], except: [target], limit: 2 }) : []
  const [only] = commits.length === 1 ? (commits as readonly [Commit]) : []
  const name = source_branch.replace(/[-_]+/g, ' ').trim() || source_branch
  const title = only?.title || `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  return { title: title.slice(0, TITLE_LENGTH).toWellFormed(), description: only?.message.slice(only.title.length).trim() ?? '' }
}

/** The mail was taken by another request meanwhile. */
class TakenBefore extends Error {}

/** Work of this process with patches: one after the other, since each takes memory. */
let last: Promise<unknown> = Promise.resolve()

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work)
  last = mine.catch(() => {})
  return mine
}

/** What becomes of a mail with this key. */
export const toNewMergeRequest =
  ({ projectId, holder }: MailedKey): Destination =>
  async (ctx, { from, subject, text, files, filesLeftOut }) => {
    const actor = await senderOf(ctx.db, holder.id, from?.address ?? '')
    if (!actor) return undefined
    if (!(await isIncomingTokenValid(ctx.db, holder)))
      throw new MailRefused(({ say }) => ({ says: say('refused.replaced'), advice: say('refused.replaced_merge_requests_advice') }))
    const project = await projectFor({ ...ctx, actor }, projectId)
    await branchesOf(project, subject, text)
    const patches = patchesOf(files, filesLeftOut)
    return {
      actor,
      project,
      text,
      mayBeEmpty: true,
      uploads: files.filter(file => !isPatch(file)),
      write: (acting, body, claim, after, isTaken) => {
        const make = async () => {
          if (await isTaken()) return false
          const here = await projectFor(acting, projectId)
          const branches = await branchesOf(here, subject, text)
          const ends = await endsFrom(acting, here, undefined)
          const start = { branch: branches.source_branch, start_branch: branches.target_branch, files: patches }
          const move = patches.length === 0 ? undefined : await commitPatchesToBranch(acting, here, start)
          try {
            const { title, description } = await wordsOf(acting, here, branches)
            const given = { ...branches, title, description: body === '' ? description : body }
            await createWithQuickActions(acting, mergeRequestWriting, here, given, (wanted, finish) =>
              createMergeRequest(acting, ends, wanted, async (tx, row) => {
                if (!(await claim(tx))) throw new TakenBefore()
                const made = await finish(tx, row)
                await after(tx)
                return made
              }),
            )
            return true
          } catch (error) {
            // All of it or nothing.
            if (move) await takeBackPatches(acting, here, move)
            if (error instanceof TakenBefore) return false
            throw error
          }
        }
        // A mail that comes again, to another process too, finds what the first one made.
        return inTurn(() => alone(ctx.deps.database.db, `mailed merge request ${project.id} ${subject}`, make))
      },
    }
  }
