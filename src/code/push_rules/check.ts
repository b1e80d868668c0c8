/**
 * Push rules before anything moves: of pushes, whose objects are held beside the repository until then, and of what the API and pages move (commits,
 * merges, rebases). The first thing that breaks a rule refuses the whole move, as a hook of git would.
 */

import { accountsByEmail, emailsOf } from '../../identity/emails/queries.ts'
import { userById } from '../../identity/users/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import {
  type Held,
  incomingCommits,
  incomingFiles,
  type ObjectId,
  type RefMove,
  type Repository,
  shortNameOf,
  sizesOf,
  tookTooMuch,
  zeroId,
} from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { PatternSearch } from '../../platform/patterns/search.ts'
import { type PushRuleRow, pushRuleOf } from '../../spaces/push_rules/queries.ts'
import { commitRefusal, looksAtCommits, looksAtFiles, nameRefusal, pathRefusal, sizeRefusal } from './rules.ts'

/** New commits that one push may have where rules look at them, and files that these may change: more are pushed in parts. */
const MOST = { commits: 20_000, files: 500_000, message: 1_000_000 } as const

const tooMuch = (what: string) => `The push brings too much to check by the push rules (${what}): push it in parts.`

/** The push rules that hold in a project; undefined where it has none, or the instance's tier does not. */
export async function pushRuleInForce(
  { config, database }: Pick<Deps, 'config' | 'database'>,
  projectId: number,
): Promise<PushRuleRow | undefined> {
  return tierCovers(config.tier, 'premium') ? pushRuleOf(database.db, { project_id: projectId }) : undefined
}

/** The confirmed addresses of a user and the one that takes no mail, in small letters. */
export async function ownAddresses(db: Db, userId: number | undefined): Promise<ReadonlySet<string>> {
  const user = userId === undefined ? undefined : await userById(db, userId)
  if (!user || userId === undefined) return new Set()
  const more = await emailsOf(db, userId).execute()
  const confirmed = more.filter(({ confirmed_at }) => confirmed_at !== null).map(({ email }) => email)
  return new Set([...(user.confirmed_at === null ? [] : [user.email]), ...confirmed, user.private_email].map(email => email.toLowerCase()))
}

/** What is checked, and for whom. */
export interface Checked {
  readonly db: Db
  readonly repository: Repository
  readonly rule: PushRuleRow
  /** See `commitRefusal`. */
  readonly own: ReadonlySet<string> | undefined
  /** Where the new objects are. */
  readonly held?: Held | undefined
}

/** The line that refuses what these moves bring, or undefined. */
export async function contentRefusal(checked: Checked, moves: readonly RefMove[]): Promise<string | undefined> {
  const { rule } = checked
  const tips = moves.filter(({ ref, new: target }) => target !== zeroId && shortNameOf(ref) !== undefined).map(({ new: target }) => target)
  if (tips.length === 0 || !looksAtCommits(rule)) return undefined
  const search = new PatternSearch()
  try {
    const found = await commitsRefusal(checked, search, tips)
    if (typeof found === 'string') return found
    return looksAtFiles(rule) ? await filesRefusal(checked, search, found) : undefined
  } catch (error) {
    if (tookTooMuch(error)) return tooMuch('it takes more than 30 seconds, or too much memory')
    throw error
  } finally {
    search.close()
  }
}

/** The lines that refuse moves for the names of their references, in order. See `nameRefusal`. */
export async function nameRefusals(
  rule: PushRuleRow,
  moves: readonly RefMove[],
  defaultBranch: string | null,
  isPushed: boolean,
): Promise<(string | undefined)[]> {
  const search = new PatternSearch()
  const lines: (string | undefined)[] = []
  try {
    for (const move of moves) lines.push(await nameRefusal(rule, search, move, defaultBranch, isPushed))
    return lines
  } finally {
    search.close()
  }
}

/** The line for one of the new commits, or the ids of all of them. */
async function commitsRefusal(
  { db, repository, rule, own, held }: Checked,
  search: PatternSearch,
  tips: readonly ObjectId[],
): Promise<string | ObjectId[]> {
  const ids: ObjectId[] = []
  const people = new Map<string, string>()
  for await (const { id, message, author, committer, isSigned } of incomingCommits(repository, tips, held)) {
    if (ids.push(id) > MOST.commits) return tooMuch(`more than ${MOST.commits} commits`)
    if (message.length > MOST.message) return tooMuch('a message of more than 1 MB')
    const refusal = await commitRefusal(rule, search, { id, message, author: author.email, committer: committer.email, isSigned }, own)
    if (refusal !== undefined) return refusal
    people.set(author.email.toLowerCase(), 'Author').set(committer.email.toLowerCase(), 'Committer')
  }
  if (!rule.member_check) return ids
  const known = await accountsByEmail(db, [...people.keys()])
  const stranger = [...people].find(([email]) => !known.has(email))
  return stranger ? `${stranger[1]} '${stranger[0]}' is not a user of this instance.` : ids
}

async function filesRefusal(
  { repository, rule, held }: Checked,
  search: PatternSearch,
  commits: readonly ObjectId[],
): Promise<string | undefined> {
  if (commits.length === 0) return undefined
  const paths = new Map<ObjectId, string>()
  let seen = 0
  for await (const { path, blob, isNew } of incomingFiles(repository, commits, held)) {
    if (++seen > MOST.files) return tooMuch(`more than ${MOST.files} files`)
    const refusal = isNew ? await pathRefusal(rule, search, path) : undefined
    if (refusal !== undefined) return refusal
    if (rule.max_file_size > 0) paths.set(blob, path)
  }
  const most = rule.max_file_size * 1024 * 1024
  const large = [...(await sizesOf(repository, [...paths.keys()], held))].find(([, size]) => size > most)
  return large && sizeRefusal(rule, paths.get(large[0]) ?? large[0])
}

/**
 * Refuses what the API or a page is about to move where the project's push rules do. The server wrote the commits for a user: it cannot sign, and
 * the committer is that user or whose commits are merged.
 * @throws Refusal 400
 */
export async function assertPushRules(
  deps: Pick<Deps, 'config' | 'database'>,
  project: { readonly id: number },
  repository: Repository,
  moves: readonly RefMove[],
): Promise<void> {
  const rule = await pushRuleInForce(deps, project.id)
  if (!rule) return
  const { db } = deps.database
  const row = await db.selectFrom('projects').select('default_branch').where('id', '=', project.id).executeTakeFirst()
  const created = moves.filter(({ old }) => old === zeroId)
  const first = row?.default_branch ?? created[0]?.ref.slice('refs/heads/'.length) ?? null
  const named = (await nameRefusals(rule, created, first, false)).find(Boolean)
  const line = named ?? (await contentRefusal({ db, repository, rule, own: undefined }, moves))
  if (line !== undefined) throw new Refusal('bad_request', { message: line })
}
