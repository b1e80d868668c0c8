/** Repositories by themselves, and against the rows that say what they have. */
import { countRepositories, findUnownedRepositories, sweepRepositories } from '../../code/repository/lifecycle/removal.ts'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { faultsOf, mergeRequestRef, type ObjectId, objectInfo, type Repository, readRefs, setRef } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { repositoryName } from '../backup/archive/format.ts'
import { type Place, placesIn } from '../repository_places.ts'
import type { Looking } from './check.ts'
import { mayDeleteUnowned } from './unowned.ts'

/** Rows per statement. */
const PAGE = 500

/** What is on its way is looked at so often, at these intervals in milliseconds. */
const ATTEMPTS = 4
const PAUSE = 200

/** A fault that does not go away. */
async function lastingFault<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let attempt = 1; ; attempt++) {
    const fault = await look()
    if (fault === undefined || attempt === ATTEMPTS) return fault
    await new Promise(resolve => setTimeout(resolve, PAUSE))
  }
}

/** git's own check of every repository, which reads all objects. */
export async function checkRepositories({ deps, faults }: Looking): Promise<void> {
  const names = deps.storages.all().map(({ name }) => name)
  for await (const places of placesIn(deps.database.db, names))
    for (const place of places) {
      const storage = deps.storages.get(place.storage)
      const repository = storage.repository(place.key)
      if (!(await storage.exists(repository))) continue
      faults.looked += 1
      const found = await lastingFault(async () => {
        const says = await faultsOf(repository)
        // One that was deleted meanwhile has none.
        return says.length > 0 && (await storage.exists(repository)) ? says : undefined
      })
      if (!found) continue
      // What is missing says more than the links that lead there.
      const worst = (found.find(line => line.startsWith('missing')) ?? found[0]!).replaceAll(/\s+/g, ' ')
      faults.add(`${await nameOf(deps, place)}: ${worst}${found.length > 1 ? ` (and ${found.length - 1} more)` : ''}`)
    }
}

/** The path of its project, or where it is. */
async function nameOf({ database }: Deps, { storage, key, project }: Place): Promise<string> {
  const path = project === undefined ? undefined : await pathOf(database.db, project)
  return path ?? repositoryName(storage, key)
}

async function pathOf(db: Db, id: number): Promise<string | undefined> {
  return (await projectsById(db, [id])).get(id)?.full_path
}

/** Projects that have commits have a repository, and each merge request the reference by which its commits are fetched. */
export async function checkReferences(looking: Looking): Promise<void> {
  await checkThatRepositoriesAreThere(looking)
  const { deps, faults } = looking
  for (let last = 0; ; ) {
    const page = await headsAfter(deps.database.db, last)
    for (const heads of Map.groupBy(page, ({ project_id }) => project_id).values()) {
      const [{ project_id: id, repository_storage }] = heads as [Head, ...Head[]]
      faults.looked += heads.length
      const repository = await findRepository(deps.storages, { id, repository_storage })
      if (!repository) continue
      const known = await readRefs(
        repository,
        heads.map(({ iid }) => mergeRequestRef(iid, 'head')),
      )
      for (const [index, head] of heads.entries()) if (known[index] !== head.head_commit_sha) await lookAgain(looking, repository, head)
    }
    if (page.length < PAGE) return
    last = page.at(-1)!.id
  }
}

async function checkThatRepositoriesAreThere({ deps, faults }: Looking): Promise<void> {
  for (let last = 0; ; ) {
    const page = await deps.database.db
      .selectFrom('projects')
      .innerJoin('project_statistics', 'project_statistics.project_id', 'projects.id')
      .select(['id', 'repository_storage'])
      .where('id', '>', last)
      .where('commit_count', '>', 0)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const project of page) {
      faults.looked += 1
      if (await findRepository(deps.storages, project)) continue
      // A project that was deleted meanwhile has no path.
      const path = await pathOf(deps.database.db, project.id)
      if (path !== undefined) faults.add(`${path} has commits and no repository`)
    }
    if (page.length < PAGE) return
    last = page.at(-1)!.id
  }
}

const heads = (db: Db) =>
  db
    .selectFrom('merge_requests')
    .innerJoin('merge_request_versions', 'merge_request_versions.id', 'merge_requests.latest_version_id')
    .innerJoin('projects', 'projects.id', 'merge_requests.project_id')
    .select([
      'merge_requests.id',
      'merge_requests.iid',
      'merge_requests.project_id',
      'projects.repository_storage',
      'merge_request_versions.head_commit_sha',
    ])

const headsAfter = (db: Db, id: number) => heads(db).where('merge_requests.id', '>', id).orderBy('merge_requests.id').limit(PAGE).execute()

type Head = Awaited<ReturnType<typeof headsAfter>>[number]

async function lookAgain({ deps, faults, mend }: Looking, repository: Repository, { id, iid, project_id }: Head): Promise<void> {
  const { db } = deps.database
  const ref = mergeRequestRef(iid, 'head')
  const head = await lastingFault(async () => {
    const now = await heads(db).where('merge_requests.id', '=', id).executeTakeFirst()
    const [found] = await readRefs(repository, [ref])
    return now && now.head_commit_sha !== found ? now : undefined
  })
  if (!head) return
  const isThere = async (sha: string) => (await objectInfo(repository, [sha as ObjectId]))[0] !== undefined
  const isMended =
    mend &&
    (await transact(db, async db => {
      // What writes the reference has this lock, too.
      await db.selectFrom('merge_requests').select('id').where('id', '=', id).forNoKeyUpdate().execute()
      const now = await heads(db).where('merge_requests.id', '=', id).executeTakeFirst()
      if (!now || !(await isThere(now.head_commit_sha))) return false
      await setRef(repository, ref, now.head_commit_sha as ObjectId)
      return true
    }))
  const gone = (await isThere(head.head_commit_sha)) ? '' : ', which is gone'
  faults.add(`${await pathOf(db, project_id)}!${iid} is not at ${head.head_commit_sha.slice(0, 8)}${gone}`, isMended)
}

/** Repositories without an owner that are older than any request: of crashes. */
export async function checkRepositoriesWithoutRow(looking: Looking): Promise<void> {
  const { deps, faults, mend } = looking
  faults.looked = await countRepositories(deps)
  for await (const path of findUnownedRepositories(deps)) faults.add(path)
  if (!mayDeleteUnowned(looking) || !mend) return
  await sweepRepositories(deps)
  if (faults.found === 0) return
  // While a backup is made, the storages keep everything.
  let left = 0
  for await (const _ of findUnownedRepositories(deps)) left += 1
  faults.addMended(Math.max(0, faults.found - left))
}
