/** The repositories of an archive. References are chosen by their names, each of which is checked: an archive gives no reference that no push could. */
import { stat } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import {
  type BundleHeader,
  BundleUnreadable,
  isValidShortName,
  type ObjectId,
  type Repository,
  type RepositoryKey,
  readBundleHeader,
  setDefaultBranch,
  shortNameOf,
  unbundle,
} from '../../../platform/git/index.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { initialBranch } from '../../../spaces/projects/repository/store.ts'
import { ArchiveRefused } from '../reading/refused.ts'

/** What is taken of a bundle. */
export interface Chosen {
  readonly header: BundleHeader
  readonly refs: ReadonlyMap<string, ObjectId>
  /** The branch that HEAD names; undefined where it names none. */
  readonly head: string | undefined
}

/** Others get a turn of the process after so many references. */
const NAMES_PER_TURN = 5_000

/** What the platform keeps beside branches and tags, and what it is for. */
const kept = /^refs\/(?:merge-requests\/[1-9]\d{0,9}\/head|keep-around\/([0-9a-f]{40}))$/

const refused = (relation: string, reason: string, cause?: unknown): ArchiveRefused =>
  new ArchiveRefused(`The repository of the archive (${relation}) cannot be read: ${reason}.`, relation, { cause })

/**
 * The references of a bundle that are taken: branches, tags and, of a project, what its merge requests need.
 * @throws ArchiveRefused
 */
export async function refsOfBundle(path: string, relation: string): Promise<Chosen> {
  const header = await readBundleHeader(path).catch(error => {
    throw error instanceof BundleUnreadable ? refused(relation, error.message, error) : error
  })
  const refs = new Map<string, ObjectId>()
  let count = 0
  for (const [name, id] of header.refs) {
    if (++count % NAMES_PER_TURN === 0) await turn()
    const short = shortNameOf(name)
    if (short && !isValidShortName(short.name)) throw refused(relation, `it has a reference with a bad name: ${JSON.stringify(name)}`)
    const [isKept, commit] = relation === 'project' ? (kept.exec(name) ?? []) : []
    if (commit !== undefined && commit !== id) throw refused(relation, `a reference does not name what it is for: ${name}`)
    if (short || isKept !== undefined) refs.set(name, id)
  }
  return { header, refs, head: headOf(header, refs) }
}

/** HEAD has the id of a commit: of the branches with it one of the usual names is meant, or the first. */
function headOf(header: BundleHeader, refs: ReadonlyMap<string, ObjectId>): string | undefined {
  const branches = [...refs].filter(([name]) => name.startsWith('refs/heads/'))
  const id = header.refs.get('HEAD')
  const named = branches.filter(([, tip]) => id === undefined || tip === id).map(([name]) => name.slice('refs/heads/'.length))
  return ['main', 'master'].find(name => named.includes(name)) ?? named.sort()[0]
}

/** Fills a new repository. @throws ArchiveRefused */
export async function fillFromBundle(made: Repository, path: string, { header, refs, head }: Chosen, relation: string): Promise<void> {
  try {
    await unbundle(made, path, header, refs)
  } catch (error) {
    throw error instanceof BundleUnreadable ? refused(relation, error.message, error) : error
  }
  if (head !== undefined) await setDefaultBranch(made, head)
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isFile(),
    () => false,
  )

/** Makes a repository of a bundle of the archive; none where the archive has no such file. @throws ArchiveRefused */
export async function createFromBundle(
  deps: Deps,
  storage: string,
  key: RepositoryKey,
  path: string,
  relation: string,
): Promise<{ repository?: Repository; head?: string }> {
  if (!(await isFile(path))) return {}
  const chosen = await refsOfBundle(path, relation)
  const { head } = chosen
  const repository = await deps.storages.get(storage).create(key, {
    defaultBranch: head ?? (await initialBranch(deps.database.db)),
    fill: made => fillFromBundle(made, path, chosen, relation),
  })
  return { repository, ...(head !== undefined && { head }) }
}
