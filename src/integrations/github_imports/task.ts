/**
 * Imports a repository of GitHub in the background: what its API lists is kept on disk, the repository is fetched, and both become a project as an archive
 * would. When the server wants to be asked later, or a process ends, it goes on with the first list that is not whole.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { wikiKeyOf } from '../../collaboration/wikis/repository.ts'
import { places } from '../../platform/config.ts'
import { fetchRemote, type Remote, RemoteUnreadable, type Repository, remoteHead, setDefaultBranch } from '../../platform/git/index.ts'
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import { destinationOf } from '../../platform/outbound/addresses.ts'
import { OutboundFailed } from '../../platform/outbound/exchange.ts'
import { RemoteBusy, type RemoteLimits, RemoteRefused, remoteLimits } from '../../platform/outbound/remote_api.ts'
import type { Secret } from '../../platform/secret.ts'
import { ensureStored } from '../../spaces/projects/repository/store.ts'
import { withRestOfRoom } from '../../spaces/storage_limits/limits.ts'
import { ArchiveRefused } from '../archives/reading/refused.ts'
import { Row } from '../archives/reading/row.ts'
import { importOf } from '../project_archives/importing/commands.ts'
import { type Making, runImport } from '../project_archives/importing/task.ts'
import { enqueueImport, forgetToken, githubAt, githubImportOf, setAttempts, TOKEN_PURPOSE } from './commands.ts'
import { bytesHere, fetchLists } from './reading/lists.ts'
import { fetchPeople, peopleOf } from './reading/people.ts'
import { writeGithubTree } from './reading/tree.ts'

/** Maximum size of an imported repository, in bytes. */
const MAX_BYTES = 20 * 1024 ** 3

/** What is here is read again each time: a server that asks for a second each time would keep a process busy. In seconds. */
const LEAST_WAIT = 15

/** How long a server may ask to be asked later, in milliseconds. */
const LONGEST = 7 * 24 * 60 * 60 * 1000

/** What is read in one attempt: a list is kept on disk as it comes, and counts in those after it. */
const githubLimits: RemoteLimits = { ...remoteLimits, requests: 100_000, bytes: 4 * 1024 ** 3, milliseconds: 6 * 60 * 60 * 1000 }

/** Milliseconds for the repository, and for its wiki: others wait behind it. */
const WHOLE = 3 * 60 * 60 * 1000

/** Failed attempts in a row to reach the server. */
const MOST_ATTEMPTS = 8

/** Imports the repository that a project was made for, or goes on with it. */
export async function importFromGithub(
  deps: Deps,
  { project_id }: { readonly project_id: number },
  limits: RemoteLimits = githubLimits,
): Promise<void> {
  const { db } = deps.database
  const lists = join(places(deps.config).transfers, `github-${project_id}`)
  const stored = await githubImportOf(db, project_id)
  // Deleted meanwhile.
  if (!stored) return rm(lists, { recursive: true, force: true })
  try {
    await runImport(deps, project_id, making => make(deps, making, stored, lists, limits))
  } catch (error) {
    if (!(error instanceof RemoteBusy)) throw error
    const user_id = (await importOf(db, project_id))?.user_id ?? null
    await enqueueImport(db, { project_id, user_id }, new Date(deps.now().getTime() + Math.max(LEAST_WAIT, error.seconds) * 1000))
    return
  }
  await forgetToken(db, project_id)
  await rm(lists, { recursive: true, force: true })
}

type Stored = NonNullable<Awaited<ReturnType<typeof githubImportOf>>>

async function make(deps: Deps, making: Making, stored: Stored, lists: string, limits: RemoteLimits) {
  if (stored.token === null) throw new ArchiveRefused('The token for the other server is not there any more.')
  if (deps.now().getTime() - Date.parse(stored.created_at) > LONGEST)
    throw new ArchiveRefused('The other server has not given the repository within a week.')
  const token = deps.secrets.decrypt(stored.token, TOKEN_PURPOSE)
  // A server that breaks off again and again would fill the disk otherwise.
  const bytes = limits.bytes - (await bytesHere(lists))
  if (bytes <= 0) throw new RemoteRefused(`The server answered more than ${limits.bytes} bytes in all`)
  const api = githubAt(deps, stored.base_url, token, { ...limits, bytes })
  const about = await reaching(deps, stored, async () => {
    const path = `/repositories/${stored.repository_id}`
    const row = Row.of((await api.get(path)).value, 'repository')
    await fetchLists(api, path, lists)
    await fetchPeople(api, lists)
    return row
  })
  const fill = async () => {
    const { repository, head } = await fetchRepositories(deps, making, stored, token, about)
    const ctx = systemContext(deps, deps.database.db, making.actor)
    await writeGithubTree({ lists, folder: making.folder, people: await peopleOf(ctx, lists, stored.base_url), about, repository })
    return { repository, head }
  }
  return { fill, people: (ctx: Parameters<typeof peopleOf>[0]) => peopleOf(ctx, lists, stored.base_url) }
}

/** Tries again later where the server cannot be reached. @throws RemoteBusy */
async function reaching<T>({ database: { db } }: Deps, { project_id, attempts }: Stored, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work()
    await setAttempts(db, project_id, 0)
    return done
  } catch (error) {
    if (!(error instanceof OutboundFailed) || attempts >= MOST_ATTEMPTS) throw error
    await setAttempts(db, project_id, attempts + 1)
    throw new RemoteBusy(2 ** attempts)
  }
}

/** Where the heads of pull requests go, whose commits are on no branch. */
const also = { 'refs/pull/*/head': 'refs/merge-requests/*/head' }

async function fetchRepositories(deps: Deps, { project }: Making, { clone_url }: Stored, token: Secret, about: Row) {
  const { db } = deps.database
  const at = async (address: string): Promise<Remote> => {
    const url = new URL(address)
    const { address: checked, port } = await destinationOf(url, deps.config.outboundAllow)
    return { url, address: checked, port, credentials: { username: 'x-access-token', password: token } }
  }
  const take = (repository: Repository, remote: Remote, options: Parameters<typeof fetchRemote>[3]) =>
    withRestOfRoom(deps, project, (most = MAX_BYTES) => fetchRemote(repository, remote, Math.min(most, MAX_BYTES), options))
  const remote = await at(clone_url)
  const repository = await ensureStored(db, deps.storages, project.repository_storage, { id: project.id }, null)
  const head = await remoteHead(repository, remote)
  await take(repository, remote, { also, timeoutMs: WHOLE })
  if (head !== undefined) await setDefaultBranch(repository, head)
  if (about.maybeFlag('has_wiki')) await takeWiki(deps, project, await at(clone_url.replace(/(\.git)?$/, '.wiki.git')), take)
  return { repository, head }
}

/** A wiki that has no page yet is no repository. */
async function takeWiki(
  deps: Deps,
  project: Making['project'],
  remote: Remote,
  take: (repository: Repository, remote: Remote, options: { readonly timeoutMs: number }) => Promise<void>,
): Promise<void> {
  const { storage, key } = wikiKeyOf({ project })
  try {
    const own = deps.storages.get(storage)
    await own.create(key, {
      defaultBranch: 'master',
      fill: async made => {
        const head = await remoteHead(made, remote)
        await take(made, remote, { timeoutMs: WHOLE })
        if (head !== undefined) await setDefaultBranch(made, head)
      },
    })
  } catch (error) {
    if (!(error instanceof RemoteUnreadable)) throw error
  }
}
