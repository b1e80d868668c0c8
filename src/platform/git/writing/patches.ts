/**
 * Commits made of patches in the form of mails (`git format-patch`), as `git am` makes them, without a working copy: git applies them to an index in a
 * folder of their own, where what it makes of them stays until there is room for it. Patches may be made to harm: git keeps paths within the tree, a
 * process has a limit of memory and of time, and what comes of them is checked again as it comes in.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { GitError } from '../errors.ts'
import { formatCommit, type Person } from '../objects/commit-object.ts'
import { readCommit } from '../objects/objects.ts'
import { isObjectId, type ObjectId, objectId } from '../objects/oid.ts'
import { type GitCommand, runGit, startGit, withConfiguration } from '../process/run.ts'
import type { Repository } from '../storage/repository.ts'
import { NewObjects } from './write-objects.ts'

/** Patches that are applied together, and milliseconds that it may take. */
const MOST_PATCHES = 100
const TIME = 60_000

/** Packs are mapped in parts: memory has a limit. */
const smallWindows = [
  ['core.packedGitWindowSize', '32m'],
  ['core.packedGitLimit', '256m'],
] as const

/** What a patch of `git format-patch` begins with; several may stand in one file. */
const BEGINNING = /^From [0-9a-f]{40} .*$/m

/** A patch that cannot be applied. The message says why, for who made it. */
export class PatchRefused extends GitError {
  constructor(message: string) {
    super('invalid', message)
  }
}

/** A file of patches. */
export interface PatchFile {
  readonly name: string
  readonly content: Uint8Array
}

export interface PatchSeries {
  /** What the first one is applied to. */
  readonly onto: ObjectId
  /** In their order. */
  readonly files: readonly PatchFile[]
  readonly committer: Person
  readonly now: Date
}

interface PatchMail {
  readonly file: string
  readonly bytes: Buffer
}

/** The mails of the files, each a commit. Bytes as Latin-1, so that they stay what they are. */
function mailsOf(files: readonly PatchFile[]): PatchMail[] {
  const mails = files.flatMap(({ name, content }) => {
    const text = Buffer.from(content).toString('latin1')
    const starts = [...text.matchAll(new RegExp(BEGINNING, 'gm'))].map(({ index }) => index)
    // A mail that was saved has no such line.
    const parts = starts.length === 0 ? [text] : starts.map((start, index) => text.slice(start, starts[index + 1]))
    return parts.map(part => ({ file: name, bytes: Buffer.from(part, 'latin1') }))
  })
  if (mails.length > MOST_PATCHES) throw new PatchRefused(`${MOST_PATCHES} patches are applied at most, not ${mails.length}.`)
  return mails
}

interface PatchCommit {
  readonly author: Person
  readonly message: string
  readonly tree: ObjectId
}

/**
 * Applies patches and writes their commits, of which the last one's id is returned. No reference moves.
 * @param withRoom does the writing of so many bytes, where there is room
 * @throws PatchRefused, and what `withRoom` throws; nothing is left then
 */
export async function commitPatches(
  repository: Repository,
  { onto, files, committer, now }: PatchSeries,
  withRoom: (bytes: number, write: () => Promise<ObjectId>) => Promise<ObjectId>,
): Promise<ObjectId> {
  const start = await readCommit(repository, onto)
  if (!start) throw new GitError('not_found', 'The parent is not a commit')
  const objects = join(repository.path, 'objects')
  // git takes what a crash leaves of it for an interrupted push, and prunes it.
  const folder = await mkdtemp(join(objects, 'tmp_objdir-incoming-'))
  try {
    const made = join(folder, 'made')
    await mkdir(made)
    const run = runner(repository, folder, { GIT_OBJECT_DIRECTORY: made, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects })
    await run({ subcommand: 'read-tree', values: [objectId(start.tree_id)] })
    const commits: PatchCommit[] = []
    for (const mail of mailsOf(files)) commits.push(await applied(run, folder, mail, commits.at(-1)?.tree ?? start.tree_id))
    const { ids, bytes } = await looseObjects(made)
    return await withRoom(bytes, async () => {
      await bringIn(repository, made, objects, ids)
      const written = new NewObjects()
      let parent = onto
      for (const { author, message, tree } of commits)
        parent = written.add('commit', formatCommit(tree, [parent], { author, committer, message, now }))
      await written.write(repository)
      return parent
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Run = (command: GitCommand & { readonly input?: Buffer }) => ReturnType<typeof runGit>

/** Runs git on the index and the objects of the folder, all together within the time. */
function runner(repository: Repository, folder: string, objects: Readonly<Record<string, string>>): Run {
  const signal = AbortSignal.timeout(TIME)
  const environment = { ...objects, ...withConfiguration(smallWindows), GIT_INDEX_FILE: join(folder, 'index'), GIT_ALLOC_LIMIT: '256m' }
  return command =>
    runGit(repository, { ...command, environment, signal }).catch(error => {
      if (error instanceof GitError && error.kind === 'aborted') throw new PatchRefused('The patches take too long to apply.')
      throw error
    })
}

/** Applies one patch to the index. */
async function applied(run: Run, folder: string, { file, bytes }: PatchMail, before: ObjectId): Promise<PatchCommit> {
  const [messageFile, patchFile] = [join(folder, 'message'), join(folder, 'patch')]
  const { stdout, exitCode } = await run({ subcommand: 'mailinfo', flags: [messageFile, patchFile], input: bytes, answers: [1, 128] })
  const facts = new Map(
    stdout
      .toString('utf8')
      .split('\n')
      .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const [name, email, subject] = [facts.get('Author'), facts.get('Email'), facts.get('Subject')]
  if (exitCode !== 0 || !name || !email || !subject) throw new PatchRefused(`${file} is no patch of git format-patch.`)
  const patch = await readFile(patchFile)
  if (patch.length === 0) throw new PatchRefused(`${file} changes nothing.`)
  const result = await run({ subcommand: 'apply', flags: ['--cached', '--whitespace=nowarn', '-'], input: patch, answers: [1, 128] })
  if (result.exitCode !== 0) throw new PatchRefused(`${file} does not apply${reasonIn(result.stderr)}`)
  const tree = (await run({ subcommand: 'write-tree' })).stdout.toString('latin1').trim()
  if (tree === before) throw new PatchRefused(`${file} changes nothing.`)
  const body = (await readFile(messageFile)).toString('utf8').trim()
  return {
    author: authorIn(name, email, facts.get('Date')),
    message: `${subject}\n${body === '' ? '' : `\n${body}\n`}`,
    tree: objectId(tree),
  }
}

/** The first thing that git says. */
function reasonIn(stderr: string): string {
  const line = /^error: (.*)$/m.exec(stderr)?.[1]
  return line === undefined ? '.' : ` (${line.slice(0, 200)}).`
}

/** The end of the year 9998: in every zone a year has four digits. */
const LATEST = Date.UTC(9999, 0)

function authorIn(name: string, email: string, date: string | undefined): Person {
  const zone = /([+-]\d{2})(\d{2})$/.exec(date ?? '')
  const moment = date === undefined ? Number.NaN : Date.parse(date)
  // A date that is none, or that no commit can have, is left out: the commit has that of now.
  return !zone || !(moment > 0 && moment < LATEST)
    ? { name, email }
    : { name, email, date: inZone(moment, zone[1] as string, zone[2] as string) }
}

/** The moment with its zone, which commits keep. */
function inZone(moment: number, hours: string, minutes: string): string {
  const offset = (Number(hours) * 60 + Math.sign(Number(hours) || 1) * Number(minutes)) * 60_000
  return `${new Date(moment + offset).toISOString().slice(0, 19)}${hours}:${minutes}`
}

/** The objects that git made, and their size on the disk. */
async function looseObjects(folder: string): Promise<{ readonly ids: ObjectId[]; readonly bytes: number }> {
  const ids: ObjectId[] = []
  let bytes = 0
  for (const part of await readdir(folder))
    for (const rest of /^[0-9a-f]{2}$/.test(part) ? await readdir(join(folder, part)) : []) {
      if (!isObjectId(part + rest)) continue
      ids.push(objectId(part + rest))
      bytes += (await stat(join(folder, part, rest))).size
    }
  return { ids, bytes }
}

/** Brings objects of the folder into the repository, where git checks each of them. */
async function bringIn(repository: Repository, folder: string, objects: string, ids: readonly ObjectId[]): Promise<void> {
  if (ids.length === 0) return
  const environment = { GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }
  const from = await startGit(repository, { subcommand: 'pack-objects', flags: ['--stdout', '--quiet'], environment })
  const to = await startGit(repository, { subcommand: 'unpack-objects', flags: ['-q', '--strict'] })
  for (const stream of [from.stdin, to.stdin]) stream.on('error', () => {})
  to.stdout.resume()
  from.stdin.end(ids.map(id => `${id}\n`).join(''))
  from.stdout.pipe(to.stdin)
  try {
    await from.done
    await to.done
  } catch (error) {
    if (error instanceof GitError && error.kind === 'failed')
      throw new PatchRefused('git refuses a name or the contents of a file in the patches.')
    throw error
  } finally {
    from.kill()
    to.kill()
  }
}
