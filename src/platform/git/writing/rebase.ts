/**
 * Rebasing in memory: the commits of a branch are done once more on top of another one, without a working copy, as
 * `git rebase` would.
 *
 * Each step is a merge that needs the result of the step before, and the oldest git we support has no command for the whole:
 * done plainly, every commit would cost processes of its own. So the steps are guessed and then checked. The trees are guessed
 * by merging each commit as a whole, which needs no step before it: one process. Then each step is done from the tree
 * guessed for the one before, all in one process; as far as its results are the guesses, they are what doing one step after the
 * other gives. Only where a guess was wrong (a commit that conflicts with, or is part of, what is there) is it begun again from there.
 */
import { GitError } from '../errors.ts'
import { type CommitText, formatCommit, formatPerson, type Person, parseSignature } from '../objects/commit-object.ts'
import { readObjects } from '../objects/objects.ts'
import { emptyTreeId, type ObjectId, objectId } from '../objects/oid.ts'
import { formatTree } from '../objects/tree-object.ts'
import { runGit } from '../process/run.ts'
import { decodeText } from '../process/text.ts'
import type { Repository } from '../storage/repository.ts'
import { MergeConflict } from './merges.ts'
import { NewObjects } from './write-objects.ts'

/** A commit that could not be done once more: `paths` are the files in conflict. */
export class RebaseConflict extends MergeConflict {
  readonly commit: ObjectId

  constructor(commit: ObjectId, paths: readonly string[]) {
    super(paths)
    this.commit = commit
  }
}

export interface Rebase {
  /** The tip of the branch. */
  readonly source: ObjectId
  /** What to build on. */
  readonly onto: ObjectId
  readonly committer: Person
  readonly now: Date
}

/** A commit as it is stored: what of it is kept, is kept byte by byte. */
interface OldCommit {
  readonly id: ObjectId
  readonly tree: ObjectId
  readonly parent: ObjectId | undefined
  /** Its lines, a character for each byte. */
  readonly author: string
  readonly encoding: string | undefined
  /** The message with the empty line before it. */
  readonly body: Buffer
}

/** A commit to be done once more. */
interface Redone extends OldCommit {
  /** It changed nothing from the beginning. */
  readonly empty: boolean
}

/** Where the new branch is: a commit, and its tree. */
interface Tip {
  readonly id: ObjectId
  readonly tree: ObjectId
}

/**
 * Does the commits of `source` that `onto` lacks once more on top of `onto`, and returns the new tip. As `git rebase` does it:
 * merges are left out, and so is what `onto` has already, whether as a commit of its own or as part of others; authors and their dates
 * stay. What stands where it would be put stays as it is, so that a branch which is up to date keeps its tip. No reference moves.
 *
 * Six processes, whatever the number of commits; two to four more wherever an outcome could not be foreseen.
 * @throws RebaseConflict
 */
export async function rebaseCommits(repository: Repository, rebase: Rebase): Promise<ObjectId> {
  const { source, onto } = rebase
  const [base] = await readOldCommits(repository, [onto])
  let tip: Tip = base!
  const commits = await commitsToRedo(repository, source, onto)
  while (commits[0]?.parent === tip.id) tip = commits.shift()!

  const written = new NewObjects()
  let window = commits.length
  for (let next = 0; next < commits.length; ) {
    const steps = commits.slice(next, next + window)
    const merges = await foresee(repository, tip, steps)
    let right = 0
    for (; right < merges.length && merges[right]!.from === tip.tree; right += 1) {
      const [commit, outcome] = [steps[right]!, merges[right]!.outcome]
      if (!outcome.clean) throw new RebaseConflict(commit.id, outcome.paths)
      // One that was empty from the beginning was meant to be.
      if (outcome.tree === tip.tree && !commit.empty) continue
      tip = { id: written.add('commit', rewritten(commit, tip.id, outcome.tree, rebase)), tree: outcome.tree }
    }
    next += right
    window = right === steps.length ? window * 2 : 1
  }
  await written.write(repository)
  return tip.id
}

/** As long as one process may take with thousands of commits. In milliseconds. */
const TIME_TO_REBASE = 10 * 60 * 1000

/** The commits of `source` but merges, in their order, and whether `onto` has one that does the same. */
async function commitsOf(repository: Repository, source: ObjectId, onto: ObjectId): Promise<{ id: ObjectId; there: boolean }[]> {
  const { stdout } = await runGit(repository, {
    subcommand: 'rev-list',
    flags: ['--reverse', '--topo-order', '--no-merges', '--right-only', '--cherry-mark'],
    values: [`${objectId(onto)}...${objectId(source)}`],
    paths: [],
    timeoutMs: TIME_TO_REBASE,
  })
  const lines = stdout.toString('latin1').split('\n').slice(0, -1)
  return lines.map(line => ({ id: line.slice(1), there: line.startsWith('=') }))
}

/** The commits to be done once more, in their order. What is empty does the same as anything that is, and is meant to be there. */
async function commitsToRedo(repository: Repository, source: ObjectId, onto: ObjectId): Promise<Redone[]> {
  const found = await commitsOf(repository, source, onto)
  const commits = await readOldCommits(
    repository,
    found.map(({ id }) => id),
  )
  const trees = new Map(commits.map(({ id, tree }) => [id, tree]))
  const others = [...new Set(commits.flatMap(({ parent }) => (parent === undefined || trees.has(parent) ? [] : [parent])))]
  for (const { id, tree } of await readOldCommits(repository, others)) trees.set(id, tree)
  return commits
    .map(commit => ({ ...commit, empty: commit.tree === (commit.parent === undefined ? emptyTreeId : trees.get(commit.parent)) }))
    .filter(({ empty }, index) => empty || !found[index]!.there)
}

async function readOldCommits(repository: Repository, ids: readonly ObjectId[]): Promise<OldCommit[]> {
  const objects = await readObjects(repository, ids)
  return objects.map((object, index) => {
    if (object?.type !== 'commit') throw new GitError('corrupt', `Commit ${ids[index]} is missing`)
    const end = object.data.indexOf('\n\n')
    const lines = object.data.toString('latin1', 0, end < 0 ? object.data.length : end).split('\n')
    const value = (key: string) => lines.find(line => line.startsWith(`${key} `))?.slice(key.length + 1)
    return {
      id: object.id,
      tree: objectId(value('tree') ?? ''),
      parent: value('parent'),
      author: value('author') ?? '',
      encoding: value('encoding'),
      body: end < 0 ? Buffer.from('\n\n') : object.data.subarray(end),
    }
  })
}

/** The contents of a commit that does the same elsewhere. A signature is of the old one, and stays with it. */
function rewritten(commit: OldCommit, parent: ObjectId, tree: ObjectId, { committer, now }: Rebase): Buffer {
  const { author, encoding, body } = commit
  const lines = [
    `tree ${tree}`,
    `parent ${parent}`,
    // Very old tools wrote lines that git does not take any more.
    `author ${soundAuthor.test(author) ? author : bytesOf(formatPerson(parseSignature(decodeText(Buffer.from(author, 'latin1'))), now))}`,
    `committer ${bytesOf(formatPerson(committer, now))}`,
    ...(encoding === undefined ? [] : [`encoding ${encoding}`]),
  ]
  return Buffer.concat([Buffer.from(lines.join('\n'), 'latin1'), body])
}

const soundAuthor = /^[^<>\n]* <[^<>\n]*> (?:0|[1-9]\d*) [+-]\d{4}$/

const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

type Outcome = { readonly clean: true; readonly tree: ObjectId } | { readonly clean: false; readonly paths: readonly string[] }

/** What a step comes to when it is done on top of the tree `from`. */
interface Step {
  readonly from: ObjectId
  readonly outcome: Outcome
}

/** Does the steps from `tip` on, each from the tree that the one before it probably leaves; ends where no tree can be guessed. */
async function foresee(repository: Repository, tip: Tip, steps: readonly OldCommit[]): Promise<Step[]> {
  const guesses = [tip.tree]
  if (steps.length > 1) {
    const start = new StandIns()
    const ours = start.add(steps[0]!, tip.tree)
    const pairs = steps.slice(0, -1).map(({ id }) => [ours, id] as const)
    for (const outcome of await mergeAll(repository, start.objects, pairs)) {
      if (!outcome.clean) break
      guesses.push(outcome.tree)
    }
  }
  const standIns = new StandIns()
  const pairs = guesses.map((tree, index) => [standIns.add(steps[index]!, tree), steps[index]!.id] as const)
  const outcomes = await mergeAll(repository, standIns.objects, pairs)
  return outcomes.map((outcome, index) => ({ from: guesses[index]!, outcome }))
}

/**
 * git 2.39 merges two commits and finds their base itself. So a tree gets a commit made for the purpose, whose parent is the
 * parent of the commit that it is to be merged with. They are the same for the same step, and housekeeping removes them.
 */
class StandIns {
  readonly objects = new NewObjects()

  add({ parent }: OldCommit, tree: ObjectId): ObjectId {
    if (tree === emptyTreeId) this.objects.add('tree', formatTree([]))
    return this.objects.add('commit', formatCommit(tree, parent === undefined ? [] : [parent], standIn))
  }
}

const nobody = { name: 'Ingot', email: 'ingot@localhost' }
const standIn: CommitText = { author: nobody, committer: nobody, message: '', now: new Date(0) }

/** Merges pairs of commits, `made` among them, in one process and one to write those. */
async function mergeAll(repository: Repository, made: NewObjects, pairs: readonly (readonly [ObjectId, ObjectId])[]): Promise<Outcome[]> {
  await made.write(repository)
  const { stdout, stderr } = await runGit(repository, {
    subcommand: 'merge-tree',
    flags: ['--write-tree', '--stdin', '--name-only', '--no-messages', '--allow-unrelated-histories'],
    timeoutMs: TIME_TO_REBASE,
    input: pairs.map(([ours, theirs]) => `${ours} ${theirs}\n`).join(''),
  })
  // As for a single merge: what cannot be read is complained of, and taken for empty.
  if (stderr !== '') throw new GitError('corrupt', 'The commits cannot be read to rebase them', stderr)
  // Of each: `1` or `0`, the tree, the files in conflict, and an empty item.
  const items = stdout.toString('utf8').split('\0')
  const outcomes: Outcome[] = []
  for (let at = 0; outcomes.length < pairs.length; at += 1) {
    const [clean, tree] = [items[at], items[at + 1]]
    if (tree === undefined) throw new GitError('failed', 'git merge-tree said less than it was asked')
    const end = items.indexOf('', at)
    outcomes.push(clean === '1' ? { clean: true, tree } : { clean: false, paths: items.slice(at + 2, end) })
    at = end
  }
  return outcomes
}
